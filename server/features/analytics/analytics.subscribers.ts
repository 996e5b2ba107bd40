import type { Database } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { defineSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import { enqueueOwnRefresh, markDaysOf } from './rollup/rollup.queries.ts'

/** Long enough that a burst is counted once, short enough that senders see their feedback counted. */
const refreshDelayMs = 1_500
const reason = 'sums of a day are made for every organisation'

/** Keeps the sums in step with new items and with changes of many. Other changes mark their days by triggers. */
export function createAnalyticsSubscribers(database: Database): Subscriber[] {
  const requestRefresh = createRefreshRequest(database)
  return [
    defineSubscriber('mark_new_days', ['feedback.created', 'feedback.locked', 'feedback.imported'], async (events) => {
      const items = events.flatMap(({ organizationId, ids }) => ids.map((id) => ({ organizationId, id })))
      await database.asSystem(reason, async (tx) => {
        // No flush: if this transaction is lost, so is the record that the job ran.
        await skipFlush(tx)
        await markDaysOf(tx, items)
      })
      await requestRefresh()
    }),
    // Its steps marked days only: counting meanwhile would be done over and over, and hold it up.
    defineSubscriber('count_after_operation', ['feedback.operation_ended'], () =>
      database.asSystem(reason, (tx) => enqueueOwnRefresh(tx, 0)),
    ),
  ]
}

/**
 * Asks for counting, once for all that this process marks within a moment. To be called after marks are committed: a job
 * that has not begun sees them.
 */
function createRefreshRequest(database: Database): () => Promise<void> {
  let dueAtMs = 0
  return async () => {
    const nowMs = performance.now()
    if (nowMs < dueAtMs) return
    await database.asSystem(reason, (tx) => enqueueOwnRefresh(tx, refreshDelayMs))
    // Not before it exists, and not after it may have begun.
    dueAtMs = nowMs + refreshDelayMs
  }
}
