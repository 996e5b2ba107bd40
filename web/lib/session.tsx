import type { Session, User } from '@supabase/auth-js'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import {
  type AuthClient,
  findAccessToken,
  isRefused,
  loadAuthClient,
  renewSession,
  setBackend,
  whenAuthClientMade,
} from './auth-client.ts'
import type { Backend } from './config.tsx'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'
import { hasStoredSession, mayAddressHoldSession, readStoredSession } from './stored-session.ts'
import { whenIdle } from './when-idle.ts'

const refreshIntervalMs = 30 * 60_000
const refreshAtStartBelowSeconds = 300
const shortestCheckIntervalMs = 30_000
/** Tabs learn of each other's doings with a delay, those in the background with a longer one. */
const signOutEchoMs = 10_000

export type SessionState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'signed_out'
      /** A session ended here without a sign-out. */
      readonly hasExpired: boolean
      /** Target after a sign-out in this or another tab. */
      readonly leaveTo: string | undefined
    }
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
 * sign-in and sign-out in other tabs. That it was ended on another device is noticed when the tab is looked at again,
 * or with the next call.
 *
 * A stored session that is good for a while is shown as it is, and so is that there is none: the auth client follows it
 * from the page's first idle moment on.
 */
export function SessionProvider({ backend, children }: { backend: Backend; children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ status: 'loading' })

  useEffect(() => {
    setBackend(backend)
    let stopped = false
    let hadSession = hasStoredSession()
    const show = (session: Session | null) => {
      if (stopped) return
      if (session) {
        hadSession = true
        setState((before) => {
          // The client finds what was shown from the storage: nothing has to be drawn again.
          const isShown = before.status === 'signed_in' && JSON.stringify(before.session) === JSON.stringify(session)
          return isShown ? before : { status: 'signed_in', session, user: session.user }
        })
        return
      }
      // Still stored: it could not be refreshed for want of a connection, and may come back.
      const wasMeant = wasSignOutMeant()
      const hasExpired = hadSession && !hasStoredSession() && !wasMeant
      hadSession = false
      setState((before) => {
        // It may be called twice, and the first call has the reason.
        if (before.status === 'signed_out') return before
        const hasLeft = before.status === 'signed_in' && wasMeant
        return { status: 'signed_out', hasExpired, leaveTo: hasLeft ? destination : undefined }
      })
    }
    const known = readSessionAtStart()
    if (known !== undefined) show(known)
    let unsubscribe: (() => void) | undefined
    const forget = whenAuthClientMade((auth) => {
      // The first state comes from startSession() below, after a possible refresh: not from INITIAL_SESSION.
      const { data } = auth.onAuthStateChange((event, session) => {
        if (event !== 'INITIAL_SESSION') show(session)
      })
      unsubscribe = () => data.subscription.unsubscribe()
      startSession(auth).then(show, () => show(null))
    })
    const load = () => void loadAuthClient().catch(() => known === undefined && show(null))
    let cancel: (() => void) | undefined
    if (known === undefined) load()
    else cancel = whenIdle(load)
    const timer = setInterval(refreshQuietly, refreshIntervalMs)
    const checkWhenSeen = createVisibilityCheck()
    document.addEventListener('visibilitychange', checkWhenSeen)
    return () => {
      stopped = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', checkWhenSeen)
      cancel?.()
      forget()
      unsubscribe?.()
    }
  }, [backend])

  return <SessionContext value={state}>{children}</SessionContext>
}
/** What can be told without the auth client: a session, none (null), or that the client must find out (undefined). */
function readSessionAtStart(): Session | null | undefined {
  if (mayAddressHoldSession(window.location)) return undefined
  return hasStoredSession() ? readStoredSession(refreshAtStartBelowSeconds) : null
}

async function startSession(auth: AuthClient): Promise<Session | null> {
  await auth.initialize()
  const { data } = await auth.getSession()
  const { session } = data
  if (!session?.expires_at || session.expires_at - Date.now() / 1000 >= refreshAtStartBelowSeconds) return session
  // A failed refresh keeps a token that is still good, and drops one that isn't.
  return (await renewSession()) ?? (await auth.getSession()).data.session
}

function refreshQuietly(): void {
  loadAuthClient()
    .then((auth) => auth.getSession())
    .then(({ data }) => (data.session ? renewSession() : undefined))
    .catch(() => undefined)
}

function wasSignOutMeant(): boolean {
  return Date.now() - Number(readStored(storageKeys.signedOutAt) ?? 0) < signOutEchoMs
}

/** Asks the server, when the tab is looked at again, whether the session still stands. */
function createVisibilityCheck(): () => void {
  let lastCheckMs = 0
  return () => {
    const now = Date.now()
    if (document.visibilityState !== 'visible' || now - lastCheckMs < shortestCheckIntervalMs) return
    if (!hasStoredSession()) return
    lastCheckMs = now
    checkSession().catch(() => undefined)
  }
}

async function checkSession(): Promise<void> {
  const token = await findAccessToken()
  // The session of a refused token may still be good: the refresh decides.
  if (token !== undefined && (await isRefused(token))) await renewSession()
}

const login = '/login'
let destination = login

/**
 * Signs out on this device only, everywhere, or on the other devices only. On this device alone it works without a
 * connection: what is stored here is gone in any case. Guarded pages then lead to `leaveTo`.
 *
 * @throws AuthError when the server could not end what was asked beyond this device.
 */
export async function signOut(scope: 'local' | 'global' | 'others' = 'local', leaveTo = login): Promise<void> {
  if (scope !== 'others') {
    destination = leaveTo
    removeStored(storageKeys.pendingEmailVerification)
    writeStored(storageKeys.signedOutAt, String(Date.now()))
  }
  const { error } = await (await loadAuthClient()).signOut({ scope })
  if (error && scope !== 'local') throw error
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
