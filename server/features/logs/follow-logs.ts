import type { Readable } from 'node:stream'
import type { LogFilters, LogTailEvent } from '#contract/superadmin-logs.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openEventStream } from '#server/platform/http/event-stream.ts'
import { findLastId, searchIds } from './search.queries.ts'
import { prepareSearch, searchReason, toLine } from './search-logs.ts'

/** Writers store once a second. Looking is one short query, so lines need no NOTIFY, which every process would hear. */
const lookEveryMs = 1_000
/** More than this in a second, no one reads. */
const mostLines = 200
/** Of a follower that was away, at most so many stored lines are looked through. */
const mostIds = 50_000
const checkEveryMs = 20_000

interface Follower {
  readonly filters: LogFilters & { readonly after?: string }
  readonly endsAtMs: number
  mayFollow(): Promise<boolean>
}

/**
 * Follows the stored log. Ids grow with the commits, so the last id that was looked at is all that must be known to leave
 * out no line and repeat none, on any server.
 */
export function followLogs(
  database: Database,
  { filters: { after, ...filters }, endsAtMs, mayFollow }: Follower,
): Readable {
  let last = after === undefined ? undefined : Number(after)
  let toldAtMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const events = openEventStream({
    endsAtMs,
    mayFollow,
    onClose: () => {
      isClosed = true
      clearTimeout(timer)
    },
  })

  async function look(): Promise<void> {
    const event = await findNext(database, filters, last)
    last = Number(event.tail)
    // An event without lines moves the place that a reconnection begins at.
    const isWorthTelling = event.items.length > 0 || performance.now() - toldAtMs > checkEveryMs || after === undefined
    if (!isWorthTelling) return
    after = event.tail
    toldAtMs = performance.now()
    events.send(JSON.stringify(event))
  }

  const schedule = () => {
    if (isClosed) return
    // A database that is away comes back: the place is kept.
    timer = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .then(schedule),
      lookEveryMs,
    )
  }
  void look()
    .catch(() => {})
    .then(schedule)
  return events.stream
}

function findNext(database: Database, filters: LogFilters, known: number | undefined): Promise<LogTailEvent> {
  return database.asSystem(searchReason, async (tx) => {
    const last = Math.max(await findLastId(tx), known ?? 0)
    const tail = String(last)
    if (known === undefined || last === known) return { items: [], leftOut: 0, isAtLeast: false, tail }
    const after = Math.max(known, last - mostIds)
    const wanted = await prepareSearch(tx, filters)
    const rows = await searchIds(tx, wanted, { after, last, limit: mostLines })
    const count = rows[0]?.count ?? 0
    return {
      items: rows.toReversed().map(toLine),
      leftOut: count - rows.length,
      isAtLeast: after > known,
      tail,
    }
  })
}
