import type { AnyEvent } from '#contract/events.ts'
import type { Database } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { defineSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import { foldFeedbackCounts } from './counts.queries.ts'
import { tidySearchIndex } from './feedback.queries.ts'
import { learnWords } from './search.queries.ts'
import { createVisitorJoins } from './visitors/joins.service.ts'
import { countMarkedVisitors, noteVisitors } from './visitors/note-visitors.queries.ts'

// Often enough that the index's waiting list stays short under any load, seldom enough to move many at once.
const tidyPauseMs = 250

// Folding adds up the counts that were appended: while they are few, it costs nothing.
const foldPauseMs = 2000

const newItems = ['feedback.created', 'feedback.imported'] as const

/** Every change that marks a visitor (see app.mark_visitors) records one of these. */
const changedItems = [
  'feedback.status_changed',
  'feedback.updated',
  'feedback.replied',
  'feedback.answered',
  'feedback.deleted',
] as const

/** Updates visitors, search words, counts and the search index after new items. */
export function createFeedbackSubscribers(database: Database): Subscriber[] {
  const reason = 'new items of every organisation'
  return [
    defineSubscriber('list_visitors', newItems, (events) =>
      database.asSystem(reason, async (tx) => {
        // No flush: if this transaction is lost, so is the record that the job ran.
        await skipFlush(tx)
        await noteVisitors(tx, listNewItems(events))
      }),
    ),
    defineSubscriber('count_visitors', changedItems, () => countMarkedVisitors(database)),
    defineSubscriber('join_visitors', ['feedback.answered'], async (events) => {
      for (const { organizationId, ids } of events) await createVisitorJoins(database).joinProven(organizationId, ids)
    }),
    defineSubscriber('learn_words', newItems, (events) =>
      database.asSystem(reason, async (tx) => {
        await skipFlush(tx)
        const byOrganization = Map.groupBy(listNewItems(events), ({ organizationId }) => organizationId)
        for (const [organizationId, own] of [...byOrganization].sort(([a], [b]) => (a < b ? -1 : 1))) {
          const ids = own.map((item) => item.id)
          await learnWords(tx, organizationId, ids)
        }
      }),
    ),
    defineSubscriber(
      'fold_counts',
      ['feedback.created', 'feedback.locked'],
      atMostEvery(foldPauseMs, () => foldFeedbackCounts(database)),
    ),
    defineSubscriber(
      'tidy_search',
      ['feedback.created', 'feedback.locked'],
      atMostEvery(tidyPauseMs, () => tidySearchIndex(database)),
    ),
  ]
}

function listNewItems(events: readonly AnyEvent<(typeof newItems)[number]>[]) {
  return events.flatMap(({ organizationId, ids }) => ids.map((id) => ({ organizationId, id })))
}

/** Skips a run that comes too soon after the last one: the next run does its work. */
function atMostEvery(pauseMs: number, run: () => Promise<void>): () => Promise<void> {
  let beganAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    const nowMs = performance.now()
    if (nowMs - beganAtMs < pauseMs) return
    beganAtMs = nowMs
    await run()
  }
}
