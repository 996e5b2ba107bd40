import type { Session } from '@supabase/auth-js'
import type { Backend } from './config.tsx'
import { isImpersonated } from './storage.ts'
import { hasStoredSession, mayAddressHoldSession, readStoredSession } from './stored-session.ts'
import type { AuthClient } from './supabase-clients.ts'

export type { AuthClient }

/** The auth client refreshes a token that is about to expire: below this, it is asked. */
const shortestTokenSeconds = 90

let backend: Backend | undefined
let client: AuthClient | undefined
let library: Promise<typeof import('./supabase-clients.ts')> | undefined

/** Names the backend of this page. The session's functions below work from then on. */
export function setBackend(used: Backend): void {
  backend ??= used
}

/** @throws Error before {@link setBackend} was called, i.e. outside signed-in and auth screens. */
export function getBackend(): Backend {
  if (!backend) throw new Error('The backend is used before it was set')
  return backend
}

// The session of a tab that acts as someone else is no session of theirs.
function importClients(): Promise<typeof import('./supabase-clients.ts')> {
  if (!isImpersonated()) return import('./supabase-clients.ts')
  // They answer as Supabase's do, and know fewer methods.
  return import('./impersonated-clients.ts') as unknown as Promise<typeof import('./supabase-clients.ts')>
}

/** Supabase's clients. A failed load is tried again by the next call. */
export function loadSupabaseClients(): Promise<typeof import('./supabase-clients.ts')> {
  library ??= importClients().catch((error: unknown) => {
    library = undefined
    throw error
  })
  return library
}

/**
 * The one auth client of this page, made when it is first asked for. Two clients on one storage would refresh against
 * each other.
 */
export async function loadAuthClient(): Promise<AuthClient> {
  const used = getBackend()
  const { createAuthClient } = await loadSupabaseClients()
  if (!client) {
    client = createAuthClient(used)
    for (const follow of followers) follow(client)
    followers.clear()
  }
  return client
}

const followers = new Set<(auth: AuthClient) => void>()

/** Calls back with the auth client as soon as it is made, before anyone uses it. @returns what ends the waiting. */
export function whenAuthClientMade(follow: (auth: AuthClient) => void): () => void {
  if (client) follow(client)
  else followers.add(follow)
  return () => followers.delete(follow)
}

/** The current access token, refreshed first if it is about to expire; undefined when signed out. */
export async function findAccessToken(): Promise<string | undefined> {
  if (!client && !mayAddressHoldSession(window.location)) {
    if (!hasStoredSession()) return undefined
    const stored = readStoredSession(shortestTokenSeconds)
    if (stored) return stored.access_token
  }
  const { data } = await (await loadAuthClient()).getSession()
  return data.session?.access_token
}

/**
 * Asks for a new session whatever the age of the old one. Undefined when that is refused; a session that has ended on
 * the server is then dropped here as well.
 */
export async function renewSession(): Promise<Session | undefined> {
  const auth = await loadAuthClient()
  const { isAuthRetryableFetchError } = await loadSupabaseClients()
  const { data, error } = await auth.refreshSession()
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
  if ((await findAccessToken()) === token) await (await loadAuthClient()).signOut({ scope: 'local' })
}

/**
 * Whether the server says no to a token: it has run out, or its session was ended. False without an answer. The
 * client's own way to ask would drop whatever session it holds by the time the answer comes.
 */
export async function isRefused(token: string): Promise<boolean> {
  if (isImpersonated()) return false
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
