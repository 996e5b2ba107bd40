import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { skipFlush } from '../database/skip-flush.ts'
import { type EventKey, enqueueJobs, notifyEvents, takeWaitingEvents, type WaitingEvent } from './events.queries.ts'
import { toAnnouncements } from './live-channel.ts'
import type { QueuedSubscriber } from './subscriber.ts'

/** Rounds of one process begin at most this often: under load, a round takes the events of many transactions. */
const roundMs = 100
/**
 * After a round with so many new items, the next one begins later: what follows new items is paid for by the round more than by
 * the item, and browsers are told of them within a second still.
 */
const manyItems = 50
const busyRoundMs = 500
const eventsPerRound = 1_000
/** Events per job at most, so that a failing job repeats little. */
const eventsPerJob = 100

export const jobNameOf = (subscriber: Pick<QueuedSubscriber, 'name'>): string => `event:${subscriber.name}`

/**
 * Makes the function that dispatches events: it queues a job for each of their subscribers, and announces those that their
 * transaction did not, in the transaction that marks them as dispatched.
 *
 * While a round of this process is due, a call ends at once: that round sees what was committed before it begins. A process
 * that dies has not finished the job that was to make it, so another does.
 */
export function createDispatcher(database: Database, subscribers: readonly QueuedSubscriber[]): () => Promise<void> {
  let isDue = false
  let lastBeganAtMs = Number.NEGATIVE_INFINITY
  let pauseMs = roundMs
  return async () => {
    if (isDue) return
    isDue = true
    try {
      const restMs = lastBeganAtMs + pauseMs - performance.now()
      if (restMs > 0) await pause(restMs)
    } finally {
      isDue = false
    }
    lastBeganAtMs = performance.now()
    let items = 0
    for (;;) {
      const round = await dispatchRound(database, subscribers)
      items += round.items
      // Fewer waited than a round takes.
      if (round.events < eventsPerRound) break
    }
    pauseMs = items >= manyItems ? busyRoundMs : roundMs
  }
}

/** @returns the events that it took, and the new items that they announced. */
function dispatchRound(
  database: Database,
  subscribers: readonly QueuedSubscriber[],
): Promise<{ events: number; items: number }> {
  return database.asSystem('events of every organisation are handed on', async (tx) => {
    // No flush: if this transaction is lost, so is the record that the job ran.
    await skipFlush(tx)
    const taken = await takeWaitingEvents(tx, eventsPerRound)
    if (taken.length === 0) return { events: 0, items: 0 }
    await notifyEvents(tx, toAnnouncements(taken))
    await enqueueJobs(
      tx,
      subscribers.flatMap((subscriber) => listJobs(subscriber, taken)),
    )
    const items = taken.reduce((sum, { unannouncedIds }) => sum + (unannouncedIds?.length ?? 0), 0)
    return { events: taken.length, items }
  })
}

function listJobs(subscriber: QueuedSubscriber, taken: readonly WaitingEvent[]) {
  const wanted = new Set(subscriber.eventNames)
  const keys = taken
    .filter((event) => wanted.has(event.name))
    .map(({ organizationId, id }): EventKey => ({ organizationId, id }))
  return Array.from({ length: Math.ceil(keys.length / eventsPerJob) }, (_, part) => ({
    name: jobNameOf(subscriber),
    payload: { events: keys.slice(part * eventsPerJob, (part + 1) * eventsPerJob) },
  }))
}
