import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log/log.ts'
import { noteWidgetLoads } from './widget.queries.ts'

const flushMs = 1_000

/** Remembers which widgets were loaded and writes it down once a second, so that a page load costs no write. */
export interface LoadNotes {
  note(key: string): void
  close(): Promise<void>
}

export function createLoadNotes(database: Database, log: Log): LoadNotes {
  const keys = new Set<string>()
  // A widget that was noted a moment ago need not be written again: the column is exact to the minute.
  const notedAtMs = new Map<string, number>()
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()

  async function flush(): Promise<void> {
    if (keys.size === 0) return
    const batch = [...keys]
    keys.clear()
    try {
      await database.asSystem('loads are counted for every organisation', (tx) => noteWidgetLoads(tx, batch))
    } catch (error) {
      log.warn({ err: error }, 'widget loads were not noted')
      for (const key of batch) notedAtMs.delete(key)
    }
  }

  return {
    note: (key) => {
      const nowMs = performance.now()
      if (nowMs - (notedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < 60_000) return
      if (notedAtMs.size > 10_000) notedAtMs.clear()
      notedAtMs.set(key, nowMs)
      keys.add(key)
    },
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
