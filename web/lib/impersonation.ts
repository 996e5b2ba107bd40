import { endImpersonation, getImpersonation, type PresentImpersonation } from '#contract/impersonations.ts'
import { withBasePath } from './base-path.ts'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/*
 * A tab that acts as someone else. All of it is in session storage, so that other tabs keep the superadmin's own session. The
 * tab's session is replaced by one that is always over: no code of the page finds the superadmin's.
 */

export interface StoredImpersonation {
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

/** This tab's impersonation; undefined when there is none. */
export function readImpersonation(): StoredImpersonation | undefined {
  try {
    // Written above.
    return (
      // Written by begin-impersonation.ts.
      (JSON.parse(readStored(storageKeys.impersonation, 'session') ?? 'null') as StoredImpersonation | null) ??
      undefined
    )
  } catch {
    return undefined
  }
}

/**
 * Asks our own API with the token of an impersonation. Not by `call`, which would ask for a new session after a 401, and so be a
 * part of what answers it. A 401 says that the impersonation is over, and tells those who follow its end.
 */
export async function askAs(
  token: string,
  { path, method }: Pick<typeof getImpersonation | typeof endImpersonation, 'path' | 'method'>,
  { query = '', signal }: { query?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const address = withBasePath(path + query)
  const response = await fetch(address, { method, headers, credentials: 'omit', ...(signal && { signal }) })
  if (response.status === 401) {
    hasEnded = true
    window.dispatchEvent(new Event(endedEvent))
  }
  return response
}

/** Asks the server whether it is over. */
export async function checkEnd(token: string): Promise<void> {
  await askAs(token, getImpersonation)
}

/** Calls back once it is over. @returns what ends the waiting. */
export function followEnd(onEnd: () => void): () => void {
  if (hasEnded) onEnd()
  window.addEventListener(endedEvent, onEnd)
  return () => window.removeEventListener(endedEvent, onEnd)
}

/** Ends it on the server. What ended meanwhile is fine. */
export async function endOnServer(token: string): Promise<void> {
  await askAs(token, endImpersonation).catch(() => undefined)
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
