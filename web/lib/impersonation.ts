import { endImpersonation, getImpersonation, type PresentImpersonation } from '#contract/impersonations.ts'
import { call } from './api.ts'
import { withBasePath } from './base-path.ts'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/*
 * A tab that acts as someone else. All of it is in session storage, so that other tabs keep the superadmin's own session. The
 * tab's session is replaced by one that is always over: no code of the page finds the superadmin's.
 */

interface StoredImpersonation {
  readonly token: string
  readonly present: PresentImpersonation
  /** By this device's clock, in milliseconds since 1970. */
  readonly endsAtMs: number
  /** What the tab had before. */
  readonly session: string | null
  readonly organization: string | null
}

/** Dispatched on the window when the server says that the impersonation is over. */
const endedEvent = 'earshot-impersonation-ended'
/** It may be told before anyone follows it. */
let hasEnded = false

/** Dispatched on the window when a screen of the account wants what an impersonation may not do. */
export const impersonationRefusedEvent = 'earshot-impersonation-refused'

const endedSession = JSON.stringify({ expires_at: 0 })

/** Acts as the token's user from the next page load on. @throws ApiError when the impersonation has ended already. */
export async function beginImpersonation(token: string): Promise<void> {
  const present = await call(getImpersonation, { token })
  const stored: StoredImpersonation = {
    token,
    present,
    endsAtMs: Date.now() + readLifeMs(token),
    session: readStored(storageKeys.session, 'session'),
    organization: readStored(storageKeys.selectedOrganizationId, 'session'),
  }
  writeStored(storageKeys.impersonation, JSON.stringify(stored), 'session')
  writeStored(storageKeys.session, endedSession, 'session')
  const own = present.organization?.organization_id
  if (own === undefined) removeStored(storageKeys.selectedOrganizationId, 'session')
  else writeStored(storageKeys.selectedOrganizationId, own, 'session')
}

/** How long a token was good when it was signed: the server's clock may differ from this device's. */
function readLifeMs(token: string): number {
  const claims = token.split('.')[1] ?? ''
  // Signed by the server a moment ago.
  const { exp, iat } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as {
    exp: number
    iat: number
  }
  return (exp - iat) * 1000
}

/** This tab's impersonation; undefined when there is none. */
export function readImpersonation(): StoredImpersonation | undefined {
  try {
    // Written above.
    return (
      (JSON.parse(readStored(storageKeys.impersonation, 'session') ?? 'null') as StoredImpersonation | null) ??
      undefined
    )
  } catch {
    return undefined
  }
}

/** Asks the server whether it is over. Not by `call`, which would ask for a new session after a 401. */
export async function checkEnd(token: string): Promise<void> {
  const response = await fetch(withBasePath(getImpersonation.path), { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 401) return
  hasEnded = true
  window.dispatchEvent(new Event(endedEvent))
}

/** Calls back once it is over. @returns what ends the waiting. */
export function followEnd(onEnd: () => void): () => void {
  if (hasEnded) onEnd()
  window.addEventListener(endedEvent, onEnd)
  return () => window.removeEventListener(endedEvent, onEnd)
}

/** Ends it on the server. What ended meanwhile is fine. */
export async function endOnServer(token: string): Promise<void> {
  await call(endImpersonation, { token }).catch(() => undefined)
}

/** Gives the tab back to the superadmin, on the user's page. */
export function leaveImpersonation(): void {
  const stored = readImpersonation()
  removeStored(storageKeys.impersonation, 'session')
  restore(storageKeys.session, stored?.session)
  restore(storageKeys.selectedOrganizationId, stored?.organization)
  const path = stored ? `/dashboard/superadmin/users/${stored.present.user.id}` : '/dashboard'
  window.location.assign(withBasePath(path))
}

function restore(key: string, value: string | null | undefined): void {
  if (value == null) removeStored(key, 'session')
  else writeStored(key, value, 'session')
}
