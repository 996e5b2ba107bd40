import type { Session } from '@supabase/auth-js'
import { sessionStore, storageKeys } from './storage.ts'

/** The auth client reads these from an address, search or fragment: a mailed link or Google leads back with them. */
const callbackParameters = ['code', 'access_token', 'error', 'error_description', 'error_code']

/** Marks a public page for who is signed in, before the first paint: nothing in it moves. */
export const signedInScript = `try{if(localStorage.getItem('${storageKeys.session}')||sessionStorage.getItem('${storageKeys.session}'))document.documentElement.dataset.signedIn=''}catch(e){}`

export function hasStoredSession(): boolean {
  return sessionStore.getItem(storageKeys.session) !== null
}

/** Whether the address may hold a session, which only the auth client can take out of it. */
export function mayAddressHoldSession({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean {
  const parameters = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))]
  return callbackParameters.some((name) => parameters.some((each) => each.has(name)))
}

/**
 * The stored session, as the auth client would give it: undefined unless its token is good for so many seconds more.
 */
export function readStoredSession(forSeconds: number): Session | undefined {
  try {
    // Written by the auth client; what matters is checked here as the client does.
    const session = JSON.parse(sessionStore.getItem(storageKeys.session) ?? 'null') as Partial<Session> | null
    if (!session?.access_token || !session.refresh_token || !session.expires_at || !session.user) return undefined
    if (session.expires_at - Date.now() / 1000 < forSeconds) return undefined
    // Checked above.
    return session as Session
  } catch {
    return undefined
  }
}
