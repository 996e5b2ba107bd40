import type { Session, User } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { findAccessToken, getAuthClient, getBackend, openAuthClient } from './auth-client.ts'
import type { Backend } from './config.tsx'
import { removeStored, storageKeys } from './storage.ts'

const refreshIntervalMs = 30 * 60_000
const refreshAtStartBelowSeconds = 300

export type SessionState =
  | { readonly status: 'loading' }
  | { readonly status: 'signed_out' }
  | { readonly status: 'signed_in'; readonly session: Session; readonly user: User }

const SessionContext = createContext<SessionState>({ status: 'loading' })
/** Who is signed in: `loading` on the server and until the browser has looked. */
export function useSession(): SessionState {
  return useContext(SessionContext)
}

/** The signed-in person. Only behind the guard. */
export function useUser(): User {
  const session = useSession()
  if (session.status !== 'signed_in') throw new Error('useUser is used outside the guard')
  return session.user
}

/**
 * Follows the session: finds it at start (also in the address, after a mailed link), refreshes it, and notices
 * sign-in and sign-out in other tabs.
 */
export function SessionProvider({ backend, children }: { backend: Backend; children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ status: 'loading' })

  useEffect(() => {
    const auth = openAuthClient(backend)
    let stopped = false
    const show = (session: Session | null) => {
      if (stopped) return
      setState(session ? { status: 'signed_in', session, user: session.user } : { status: 'signed_out' })
    }
    // The first state comes from start() below, after a possible refresh: not from INITIAL_SESSION.
    const { data } = auth.onAuthStateChange((event, session) => {
      if (event !== 'INITIAL_SESSION') show(session)
    })
    startSession().then(show, () => show(null))
    const timer = setInterval(refreshQuietly, refreshIntervalMs)
    return () => {
      stopped = true
      clearInterval(timer)
      data.subscription.unsubscribe()
    }
  }, [backend])

  return <SessionContext value={state}>{children}</SessionContext>
}

async function startSession(): Promise<Session | null> {
  const auth = getAuthClient()
  await auth.initialize()
  const { data } = await auth.getSession()
  const { session } = data
  if (!session?.expires_at || session.expires_at - Date.now() / 1000 >= refreshAtStartBelowSeconds) return session
  const { data: fresh } = await auth.refreshSession()
  // A failed refresh keeps a token that is still good; the client has dropped one that isn't.
  return fresh.session ?? (await auth.getSession()).data.session
}

function refreshQuietly(): void {
  const auth = getAuthClient()
  auth
    .getSession()
    .then(({ data }) => (data.session ? auth.refreshSession() : undefined))
    .catch(() => undefined)
}

/** Signs out on this device only. Works without a connection: what is stored here is gone in any case. */
export async function signOut(): Promise<void> {
  removeStored(storageKeys.pendingEmailVerification)
  await getAuthClient().signOut({ scope: 'local' })
}

/** Whether the person may use the dashboard: accounts of other providers count as verified. */
export function isVerified(user: User): boolean {
  const provider = user.app_metadata.provider ?? 'email'
  return provider !== 'email' || Boolean(user.email_confirmed_at)
}

/** The person's name as far as we know it, else the address. */
export function formatUserName(user: User): string {
  const name: unknown = user.user_metadata.full_name
  return typeof name === 'string' && name.trim() !== '' ? name : (user.email ?? '')
}

let rpc: PostgrestClient | undefined

/** The database functions of the backend, called as the signed-in person. */
export function getRpcClient(): PostgrestClient {
  const { url, anonKey } = getBackend()
  rpc ??= new PostgrestClient(`${url}/rest/v1`, {
    headers: { apikey: anonKey },
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${(await findAccessToken()) ?? anonKey}`)
      return fetch(input, { ...init, headers })
    },
  })
  return rpc
}
