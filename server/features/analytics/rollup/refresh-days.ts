import type { Database } from '#server/platform/database/database.ts'
import { countDay } from './count-day.queries.ts'
import { foldDay } from './fold-day.ts'
import {
  enqueueRefresh,
  listMarkedDays,
  type MarkedDay,
  storeDays,
  storeValues,
  takeMarks,
  tryLockDay,
} from './rollup.queries.ts'

const reason = 'sums of a day are made for every organisation'
const daysPerRound = 200
/** A day that takes long to count is left alone for this many times as long, so that counting never becomes the main work. */
const restFactor = 20
const shortRestMs = 1_000

export interface DayRefresher {
  /** Recounts every marked day, unless another process does. Idempotent, at any time. */
  refresh(): Promise<void>
}

export function createDayRefresher(database: Database): DayRefresher {
  const restingUntilMs = new Map<string, number>()

  async function refreshDay(place: MarkedDay): Promise<boolean> {
    const startedAtMs = performance.now()
    const isDone = await database.asSystem(reason, async (tx) => {
      if (!(await tryLockDay(tx, place))) return false
      // Each statement sees the commits before its start: later marks are counted next time.
      const marks = await takeMarks(tx, place)
      if (!marks) return true
      const { days, values } = foldDay(place.organizationId, await countDay(tx, { ...place, ...marks }))
      await storeDays(tx, place, days)
      if (marks.isWhole) await storeValues(tx, place, values)
      return true
    })
    const tookMs = performance.now() - startedAtMs
    if (tookMs * restFactor > shortRestMs) {
      if (restingUntilMs.size > 10_000) restingUntilMs.clear()
      restingUntilMs.set(keyOf(place), performance.now() + tookMs * restFactor)
    }
    return isDone
  }

  /** Whether anything was left for later because it took long a moment ago; undefined: nothing is marked. */
  function findRestMs(places: readonly MarkedDay[]): number | undefined {
    const nowMs = performance.now()
    const rests = places.map((place) => (restingUntilMs.get(keyOf(place)) ?? 0) - nowMs).filter((ms) => ms > 0)
    return rests.length > 0 ? Math.min(...rests) : undefined
  }

  return {
    refresh: async () => {
      for (;;) {
        const marked = await database.asSystem(reason, (tx) => listMarkedDays(tx, daysPerRound))
        const due = marked.filter((place) => (restingUntilMs.get(keyOf(place)) ?? 0) <= performance.now())
        let doneCount = 0
        for (const place of due) if (await refreshDay(place)) doneCount += 1
        // Another process finishes the days that it locked: it looks for marks until there are none.
        if (doneCount === 0) {
          const restMs = findRestMs(marked)
          if (restMs !== undefined) await database.asSystem(reason, (tx) => enqueueRefresh(tx, restMs))
          return
        }
      }
    },
  }
}

function keyOf({ organizationId, day }: MarkedDay): string {
  return `${organizationId} ${day}`
}
