import { getImpersonation } from '#contract/impersonations.ts'
import { call } from './api.ts'
import type { StoredImpersonation } from './impersonation.ts'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

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
