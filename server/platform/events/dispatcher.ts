import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { skipFlush } from '../database/skip-flush.ts'
import { type EventKey, enqueueJobs, notifyEvents, takeWaitingEvents, type WaitingEvent } from './events.queries.ts'
import { toAnnouncements } from './live-channel.ts'
import type { QueuedSubscriber } from './subscriber.ts'

/** Rounds of one process begin at most this often: under load, a round takes the events of many transactions. */
const roundMs = 100
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
  return async () => {
    if (isDue) return
    isDue = true
    try {
      const restMs = lastBeganAtMs + roundMs - performance.now()
      if (restMs > 0) await pause(restMs)
    } finally {
      isDue = false
    }
    lastBeganAtMs = performance.now()
    while (await dispatchRound(database, subscribers)) {
      // Until fewer wait than a round takes.
    }
  }
}

/** @returns whether more may wait. */
function dispatchRound(database: Database, subscribers: readonly QueuedSubscriber[]): Promise<boolean> {
  return database.asSystem('events of every organisation are handed on', async (tx) => {
    // No flush: if this transaction is lost, so is the record that the job ran.
    await skipFlush(tx)
    const taken = await takeWaitingEvents(tx, eventsPerRound)
    if (taken.length === 0) return false
    await notifyEvents(tx, toAnnouncements(taken))
    await enqueueJobs(
      tx,
      subscribers.flatMap((subscriber) => listJobs(subscriber, taken)),
    )
    return taken.length === eventsPerRound
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
