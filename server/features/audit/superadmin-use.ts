import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'

const againMs = 3_600_000
const maxRemembered = 1_000

/**
 * Makes the function that records that a superadmin uses an organisation of which they are not a member, or as one of its
 * members: at most once an hour, and once for each impersonation, from each server. What they change has entries of its own.
 */
export function createSuperadminLog(database: Database) {
  const recordedAtMs = new Map<string, number>()
  return async (actor: Actor, organizationId: string, operation: string): Promise<void> => {
    const { userId, impersonation } = actor
    const key = `${impersonation?.id ?? userId} ${organizationId}`
    const now = performance.now()
    if (now - (recordedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < againMs) return
    // Not as the caller, who cannot see a closed organisation: restoring one is recorded too.
    await database.asSystem('a superadmin uses an organisation', (tx) =>
      recordEvent(tx, {
        organizationId,
        name: 'superadmin.entered',
        ids: [userId],
        actorUserId: impersonation?.superadminId ?? userId,
        payload: { operation },
        announced: 'never',
      }),
    )
    // Afterwards: a record that failed is tried again, and the call that needed it fails.
    if (recordedAtMs.size >= maxRemembered) recordedAtMs.clear()
    recordedAtMs.set(key, now)
  }
}
