import type { InboxSort } from '#contract/inbox.ts'
import type { Place, StoredList } from './inbox-state.ts'
import { compareItems, type SortKey } from './sort-items.ts'

/** The part of a list that a page covers: from after a row down to its last row, or to the end of the list (`null`). */
export interface Span {
  readonly after: SortKey | undefined
  readonly end: SortKey | null
}

export function isWithin(key: SortKey, { after, end }: Span, sort: InboxSort): boolean {
  return (
    (after === undefined || compareItems(key, after, sort) > 0) && (end === null || compareItems(key, end, sort) <= 0)
  )
}

/** Puts each row above the first that stands below it. Places that are out of order by now stay where they are. */
export function insertPlaces(places: readonly Place[], keys: readonly SortKey[], sort: InboxSort): readonly Place[] {
  if (keys.length === 0) return places
  const next = [...places]
  for (const key of keys) {
    const found = next.findIndex(({ by }) => compareItems(key, by, sort) < 0)
    next.splice(found === -1 ? next.length : found, 0, { id: key.id, by: key })
  }
  return next
}

/**
 * The places with those of a page in the order of the server, which knows the microseconds that rows lack.
 * @param rest places outside of the page, in their order
 */
export function joinPlaces(rest: readonly Place[], page: readonly Place[], sort: InboxSort): readonly Place[] {
  const first = page[0]
  const last = page.at(-1)
  if (!first || !last) return rest
  const above = rest.filter(({ by }) => compareItems(by, first.by, sort) < 0)
  const below = rest.filter(({ by }) => compareItems(by, last.by, sort) > 0)
  const joined = [...above, ...page, ...below]
  if (joined.length === rest.length + page.length) return joined
  const known = new Set(joined)
  return insertPlaces(
    joined,
    rest.filter((place) => !known.has(place)).map(({ by }) => by),
    sort,
  )
}

/** The places down to where reading has ended; all, if that is the end of the list. */
export function cutPlaces({ places, filters }: StoredList, end: SortKey | null): readonly Place[] {
  if (end === null) return places
  const compare = (by: SortKey) => compareItems(by, end, filters.sort)
  const index = places.findIndex(({ id, by }) => id === end.id && compare(by) === 0)
  return index === -1 ? places.filter(({ by }) => compare(by) <= 0) : places.slice(0, index + 1)
}

/**
 * Whether items may be missing between a first page that was just read and what was loaded before: more have arrived than
 * a page contains, and only reading the list again closes the gap.
 * @param top the first place before the page was read
 * @param end the page's last row; null: the end of the list
 */
export function leavesGap(top: Place | undefined, end: SortKey | null, sort: InboxSort): boolean {
  return end !== null && top !== undefined && compareItems(end, top.by, sort) < 0
}
