import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { announceFullLoad, fullLoadChannel } from './yielding.queries.ts'

/**
 * Work in the background that yields to visitors. While a server process stores as much as it can, such work gets a tenth of
 * the time; the rest stays in its queue and is made up for afterwards. It never stops entirely: hours of full
 * load delay it, and lose nothing.
 */
export interface Yielding {
  /** Submissions arrive faster than each could be stored by itself: full load, if this process is busy all the time. */
  noteCrowd(): void
  /** Runs a piece of work: immediately, or under full load when its turn has come. Pieces should take less than a second. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Hears of full load in other processes. */
  listen(): Promise<void>
  close(): Promise<void>
}

/**
 * A process is busy for 0.6 to 1 of its time under full load, and waits for the database in between. With a slow disk and
 * cores to spare, it mostly waits.
 */
const busyShare = 0.5
/** Full load ends so long after it was last noted. */
const fullForMs = 2_000
/** Crowds are judged, and other processes are told, this often. */
const judgeEveryMs = 500
/** Under full load, a piece is followed by a rest of so many times its length, within these bounds. */
const restFactor = 9
const leastRestMs = 250
/** Longer pieces have mostly waited for others' answers. */
const longestRestMs = 2_000

/** @param stopping no one waits any more once it is aborted. */
export function createYielding(database: Pick<Database, 'listen' | 'powerless'>, stopping: AbortSignal): Yielding {
  let fullUntilMs = Number.NEGATIVE_INFINITY
  let judgedAtMs = performance.now()
  let judged = performance.eventLoopUtilization()
  let nextTurnMs = Number.NEGATIVE_INFINITY
  let stopListening = async () => {}

  const isFull = () => performance.now() < fullUntilMs && !stopping.aborted
  const note = () => {
    fullUntilMs = performance.now() + fullForMs
  }
  const restAfter = (ms: number) => {
    const restMs = Math.min(longestRestMs, Math.max(leastRestMs, ms * restFactor))
    nextTurnMs = Math.max(nextTurnMs, performance.now()) + restMs
  }

  async function waitForTurn(): Promise<void> {
    while (isFull()) {
      const waitMs = nextTurnMs - performance.now()
      if (waitMs <= 0) return restAfter(0)
      await pause(Math.min(waitMs, leastRestMs))
    }
  }

  return {
    noteCrowd: () => {
      if (performance.now() < judgedAtMs + judgeEveryMs) return
      judgedAtMs = performance.now()
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, judged)
      judged = now
      if (utilization < busyShare) return
      note()
      // Lost with the database: the next note tells them.
      void announceFullLoad(database).catch(() => {})
    },
    run: async (work) => {
      await waitForTurn()
      const startedAtMs = performance.now()
      try {
        return await work()
      } finally {
        if (isFull()) restAfter(performance.now() - startedAtMs)
      }
    },
    listen: async () => {
      stopListening = await database.listen(fullLoadChannel, note)
    },
    close: () => stopListening(),
  }
}
