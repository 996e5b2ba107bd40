import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { ReadOnly } from '#server/platform/read-only/read-only.ts'
import type { Count, CountedEvent, CountedWidget } from './count.ts'
import { addCounts, noteWidgetLoads } from './widget.queries.ts'

const flushMs = 1_000

/**
 * What pages do with widgets, counted in memory and written down once a second as sums of an hour: no page load costs a
 * write. While the instance is read-only they stay in memory: at most a number for each project, event and hour. A process that is killed loses what it counted since; one that stops loses nothing.
 */
export interface Counters {
  /** Begins to write what was counted, every second. */
  start(): void
  /** A page asked for the widget's code. */
  noteLoad(key: string): void
  count(widget: CountedWidget, event: CountedEvent): void
  close(): Promise<void>
}

const hourMs = 3_600_000

export function createCounters(database: Database, log: Log, readOnly: Pick<ReadOnly, 'current'>): Counters {
  let counts = new Map<string, Count>()
  const loaded = new Set<string>()
  // A widget that was noted a moment ago need not be written again: the column is exact to the minute.
  const notedAtMs = new Map<string, number>()
  let flushing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function add({ organizationId, projectId, event, hour, n }: Count): void {
    const key = `${projectId} ${event} ${hour}`
    const known = counts.get(key)
    if (known) known.n += n
    else counts.set(key, { organizationId, projectId, event, hour, n })
  }

  async function flush(): Promise<void> {
    if (loaded.size > 0) {
      const keys = [...loaded]
      loaded.clear()
      try {
        await database.asSystem('loads are noted for every organisation', async (tx) => {
          for (const { organizationId, projectId } of await noteWidgetLoads(tx, keys)) {
            const event = { organizationId, name: 'widget.installed', ids: [projectId], payload: {} } as const
            await recordEvent(tx, { ...event, announced: 'never' })
          }
        })
      } catch (error) {
        log.warn({ err: error }, 'widget loads were not noted')
        for (const key of keys) notedAtMs.delete(key)
      }
    }
    if (counts.size === 0) return
    const batch = [...counts.values()]
    counts = new Map()
    try {
      await database.asSystem('events are counted for every organisation', (tx) => addCounts(tx, batch))
    } catch (error) {
      log.warn({ err: error }, 'widget events were not counted yet')
      for (const count of batch) add(count)
    }
  }

  return {
    start: () => {
      timer = setInterval(() => {
        if (!readOnly.current()) flushing = flushing.then(flush)
      }, flushMs)
      timer.unref()
    },
    noteLoad: (key) => {
      const nowMs = performance.now()
      if (nowMs - (notedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < 60_000) return
      if (notedAtMs.size > 10_000) notedAtMs.clear()
      notedAtMs.set(key, nowMs)
      loaded.add(key)
    },
    count: ({ organizationId, projectId }, event) =>
      add({ organizationId, projectId, event, hour: Math.floor(Date.now() / hourMs) * hourMs, n: 1 }),
    close: async () => {
      clearInterval(timer)
      await flushing
      await flush()
    },
  }
}
