import type { Database } from '../database/database.ts'
import { skipFlush } from '../database/skip-flush.ts'
import type { Log } from '../log/log.ts'
import { enqueueJobs } from './events.queries.ts'

/** One job is queued for the transactions of so long. */
const gatherMs = 100
const repeatMs = 1_000

/**
 * Asks for the dispatch of events whose transactions queued no job for it (`announced` is `dispatch`). Ingest records one event for
 * each batch: a job each would cost workers more than what it leads to.
 *
 * A request that is lost with its process loses no event: starting workers, and a job of every minute, dispatch all that wait.
 */
export interface DispatchRequests {
  /** To be called after the commit. Returns at once. */
  request(): void
  /** Sends what is still to be asked for. */
  close(): Promise<void>
}

export function createDispatchRequests(database: Pick<Database, 'asSystem'>, log: Pick<Log, 'warn'>): DispatchRequests {
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let lastSentAtMs = Number.NEGATIVE_INFINITY
  let isClosed = false

  function plan(waitMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      sending = send().finally(() => {
        sending = undefined
      })
    }, waitMs)
  }

  async function send(): Promise<void> {
    lastSentAtMs = performance.now()
    try {
      await database.asSystem('events of every organisation wait', async (tx) => {
        await skipFlush(tx)
        await enqueueJobs(tx, [{ name: 'dispatch_events', payload: {} }])
      })
    } catch (error) {
      // While the database is away, nothing can be dispatched either.
      log.warn({ err: error }, 'the dispatch of events is asked for again')
      if (!isClosed) plan(repeatMs)
    }
  }

  return {
    request: () => {
      if (!isClosed) plan(Math.max(0, lastSentAtMs + gatherMs - performance.now()))
    },
    close: async () => {
      isClosed = true
      await sending
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      await send()
    },
  }
}
