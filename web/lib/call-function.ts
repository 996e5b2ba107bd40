import { findAccessToken, getBackend, loadSupabaseClients, renewSession } from './auth-client.ts'
import { earlyKey, takeEarlyCall } from './early-calls.ts'

/**
 * Calls a database function of the backend as the signed-in person. The page's early call answers it, if it was made;
 * Supabase's client makes every other call.
 *
 * @throws Error with the `status` of the answer, and PostgREST's `code`
 */
export async function callFunction(name: string, args: Record<string, string>, signal: AbortSignal): Promise<unknown> {
  const { url } = getBackend()
  const early = takeEarlyCall(
    earlyKey(`${url}/rest/v1/rpc/${name}`, JSON.stringify(args)),
    await findAccessToken(),
    signal,
  )
  const response = await early?.catch(() => undefined)
  if (response?.ok) return response.json()
  const rpc = await loadRpcClient()
  const { data, error, status } = await rpc.rpc(name, args).abortSignal(signal)
  if (error) throw Object.assign(new Error(error.message), { code: error.code, status })
  return data
}

let client: Awaited<ReturnType<typeof makeRpcClient>> | undefined

async function loadRpcClient() {
  client ??= await makeRpcClient()
  return client
}

async function makeRpcClient() {
  const backend = getBackend()
  const { createRpcClient } = await loadSupabaseClients()
  return createRpcClient(backend, async (input, init) => {
    const ask = (token: string) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetch(input, { ...init, headers })
    }
    const response = await ask((await findAccessToken()) ?? backend.anonKey)
    // As with the product's API: one retry with a fresh session, which also detects a remote sign-out.
    const session = response.status === 401 ? await renewSession() : undefined
    return session ? ask(session.access_token) : response
  })
}
