import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log/log.ts'
import { recordActivity } from './members.queries.ts'

const pauseMs = 10 * 60_000
/** Members whom a process remembers, about 10 MB. Of forgotten ones, the database refuses early writes. */
const maxRemembered = 50_000

/** Notes that a member works in an organisation: a write in ten minutes for each, for which no call waits. */
export function createActivityRecorder(
  database: Database,
  log: Pick<Log, 'debug'>,
): (userId: string, organizationId: string) => void {
  const nextAtMs = new Map<string, number>()
  return (userId, organizationId) => {
    const key = `${organizationId} ${userId}`
    const nowMs = performance.now()
    if ((nextAtMs.get(key) ?? 0) > nowMs) return
    if (nextAtMs.size >= maxRemembered) nextAtMs.clear()
    nextAtMs.set(key, nowMs + pauseMs)
    recordActivity(database, { userId, organizationId }).catch((error: unknown) => {
      nextAtMs.delete(key)
      log.debug({ err: error }, 'could not record when a member was active')
    })
  }
}
