import { isAuthRetryableFetchError, type Session, AuthClient as SupabaseAuthClient } from '@supabase/auth-js'
import type { Backend } from './config.tsx'
import { sessionStore, storageKeys } from './storage.ts'

export type AuthClient = InstanceType<typeof SupabaseAuthClient>

let client: { readonly backend: Backend; readonly auth: AuthClient } | undefined

/**
 * Creates the one auth client of this page; later calls answer the same. Two clients on one storage would refresh
 * against each other.
 */
export function openAuthClient(backend: Backend): AuthClient {
  client ??= {
    backend,
    auth: new SupabaseAuthClient({
      url: `${backend.url}/auth/v1`,
      headers: { apikey: backend.anonKey, Authorization: `Bearer ${backend.anonKey}` },
      storageKey: storageKeys.session,
      storage: sessionStore,
      flowType: 'pkce',
      persistSession: true,
      autoRefreshToken: true,
      detectSessionInUrl: true,
    }),
  }
  return client.auth
}

/** The auth client. @throws Error before {@link openAuthClient} was called, i.e. outside signed-in and auth screens. */
export function getAuthClient(): AuthClient {
  return getOpenClient().auth
}

export function getBackend(): Backend {
  return getOpenClient().backend
}

function getOpenClient() {
  if (!client) throw new Error('The auth client is used before it was opened')
  return client
}

/** The current access token, refreshed first if it is about to expire; undefined when signed out. */
export async function findAccessToken(): Promise<string | undefined> {
  const { data } = await getAuthClient().getSession()
  return data.session?.access_token
}

/**
 * Asks for a new session whatever the age of the old one. Undefined when that is refused; a session that has ended on
 * the server is then dropped here as well.
 */
export async function renewSession(): Promise<Session | undefined> {
  const { data, error } = await getAuthClient().refreshSession()
  if (error && !isAuthRetryableFetchError(error)) await dropEndedSession()
  return data.session ?? undefined
}

let dropping: Promise<void> | undefined

/**
 * Signs out here if the server says that the session has ended there. The client keeps a session whose refresh is
 * refused as long as its token has not run out, for the token may still be good. Whether it is, the server knows.
 */
export function dropEndedSession(): Promise<void> {
  dropping ??= dropIfEnded().finally(() => {
    dropping = undefined
  })
  return dropping
}

async function dropIfEnded(): Promise<void> {
  const token = await findAccessToken()
  if (token === undefined || !(await isRefused(token))) return
  // A newer sign-in in the meantime stays.
  if ((await findAccessToken()) === token) await getAuthClient().signOut({ scope: 'local' })
}

/**
 * Whether the server says no to a token: it has run out, or its session was ended. False without an answer. The
 * client's own way to ask would drop whatever session it holds by the time the answer comes.
 */
export async function isRefused(token: string): Promise<boolean> {
  const { url, anonKey } = getBackend()
  const headers = { apikey: anonKey, authorization: `Bearer ${token}` }
  try {
    const response = await fetch(`${url}/auth/v1/user`, { headers })
    // Read to its end: the connection is free again.
    await response.text()
    return response.status === 401 || response.status === 403
  } catch {
    return false
  }
}
