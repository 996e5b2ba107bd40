import type { Readable } from 'node:stream'
import type { LogFilters, LogTailEvent } from '#contract/superadmin-logs.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openEventStream } from '#server/platform/http/event-stream.ts'
import { limitStatements, tookTooLong } from './limit-statements.queries.ts'
import { findLastId, searchIds } from './search.queries.ts'
import { prepareSearch, searchReason, toLine } from './search-logs.ts'

/** Writers store once a second. Looking is one short query, so lines need no NOTIFY, which every process would hear. */
const lookEveryMs = 1_000
/** More than this in a second, no one reads. */
const mostLines = 200
/** Of a follower that was away, at most so many stored lines are looked through. */
const mostIds = 50_000
/** One follower's filter must not hold up the others: after this long, its lines of this look are left out. */
const longestLookMs = 1_000
/** An event without lines moves the place that a reconnection begins at. */
const tellEveryMs = 20_000
/** A session that ended, or a right that was taken away, ends the stream this soon. */
const checkRightEveryMs = 2_000

interface FollowOptions {
  readonly filters: LogFilters & { readonly after?: string }
  /** The access token's expiry. */
  readonly endsAtMs: number
  mayFollow(): Promise<boolean>
}

interface Follower {
  readonly filters: LogFilters
  /** Of the last line that was looked at; undefined: none yet. */
  last: number | undefined
  /** Undefined: nothing was sent yet. */
  toldAtMs: number | undefined
  send(data: string): void
}

export interface LogTail {
  follow(options: FollowOptions): Readable
}

/**
 * Follows the stored log. Ids grow with the commits, so the last id that was looked at is all that must be known to leave
 * out no line and repeat none, on any server. All followers share one look a second, and those with the same filters one
 * search.
 */
export function createLogTail(database: Database): LogTail {
  const followers = new Set<Follower>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let hasNewcomer = false

  async function look(): Promise<void> {
    isLooking = true
    hasNewcomer = false
    try {
      await lookForAll(database, [...followers])
    } catch {
      // A database that is away comes back: the places are kept.
    }
    isLooking = false
    schedule(hasNewcomer ? 0 : lookEveryMs)
  }

  function schedule(afterMs: number): void {
    clearTimeout(timer)
    if (followers.size > 0) timer = setTimeout(() => void look(), afterMs)
  }

  return {
    follow({ filters: { after, ...filters }, endsAtMs, mayFollow }) {
      const events = openEventStream({
        ...{ endsAtMs, mayFollow, checkEveryMs: checkRightEveryMs },
        onClose: () => {
          followers.delete(follower)
          if (followers.size === 0) clearTimeout(timer)
        },
      })
      const last = after === undefined ? undefined : Number(after)
      const follower: Follower = { filters, last, toldAtMs: undefined, send: events.send }
      followers.add(follower)
      // A look that is under way does not know this follower.
      if (isLooking) hasNewcomer = true
      else schedule(0)
      return events.stream
    },
  }
}

async function lookForAll(database: Database, followers: readonly Follower[]): Promise<void> {
  const stored = await database.asSystem(searchReason, findLastId)
  const groups = Map.groupBy(followers, ({ filters, last }) => JSON.stringify([filters, last ?? null]))
  for (const group of groups.values()) {
    // A search that failed keeps its place, and the others go on.
    await lookForGroup(database, group, stored).catch(() => {})
  }
}

async function lookForGroup(database: Database, group: readonly Follower[], stored: number): Promise<void> {
  const [first] = group
  if (!first) return
  const last = Math.max(stored, first.last ?? 0)
  const event = await findNext(database, first.filters, { known: first.last ?? last, last })
  for (const follower of group) tell(follower, event, last)
}

function tell(follower: Follower, event: LogTailEvent, last: number): void {
  follower.last = last
  const now = performance.now()
  const isDue = follower.toldAtMs === undefined || now - follower.toldAtMs > tellEveryMs
  if (event.items.length === 0 && !event.isAtLeast && !isDue) return
  follower.toldAtMs = now
  follower.send(JSON.stringify(event))
}

async function findNext(
  database: Database,
  filters: LogFilters,
  { known, last }: { known: number; last: number },
): Promise<LogTailEvent> {
  const tail = String(last)
  if (last === known) return { items: [], leftOut: 0, isAtLeast: false, tail }
  const after = Math.max(known, last - mostIds)
  try {
    const rows = await database.asSystem(searchReason, async (tx) => {
      const wanted = await prepareSearch(tx, filters)
      await limitStatements(tx, longestLookMs)
      return searchIds(tx, wanted, { after, last, limit: mostLines })
    })
    const count = rows[0]?.count ?? 0
    return { items: rows.toReversed().map(toLine), leftOut: count - rows.length, isAtLeast: after > known, tail }
  } catch (error) {
    if (!tookTooLong(error)) throw error
    return { items: [], leftOut: 0, isAtLeast: true, tail }
  }
}
