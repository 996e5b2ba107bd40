import type { InboxGrouping } from '#contract/inbox.ts'
import { toTimes } from '../filters/date-range.ts'
import { changeFilter, type Filters, noFilters } from '../filters/feedback-filters.ts'
import { groupTimeZone, toDayName } from './group-values.ts'

/** Neighbouring groups that are read as one list, because together they fit into a page. */
export interface Segment {
  /** In their order. Days besides these may come in its rows. */
  readonly values: readonly string[]
  readonly filters: Filters
}

/** A page of a list. */
const maxRows = 100
/** The most values that a filter takes. */
const maxValues = 20

/**
 * Divides a grouped list into lists that are read one after another: a group by itself, or small ones together, so that
 * hundreds of groups with an item each take few requests.
 *
 * @param values the groups in their order
 * @param counts items of each; absent: none
 */
export function planSegments(
  filters: Filters,
  by: InboxGrouping,
  { values, counts }: { values: readonly string[]; counts: ReadonlyMap<string, number> },
): Segment[] {
  const parts: string[][] = []
  let rows = 0
  for (const value of values) {
    const count = counts.get(value) ?? 0
    const last = parts.at(-1)
    if (last && last.length < maxValues && rows + count <= maxRows) {
      last.push(value)
      rows += count
    } else {
      parts.push([value])
      rows = count
    }
  }
  const own: Filters = { ...filters, group: 'none', view: '' }
  if (by === 'day') return planDays(own, parts)
  const name = by
  return parts.map((part) => ({ values: part, filters: changeFilter(own, name, part) }))
}

/** The days between which the filters let items through; empty: no bound. */
function findBounds({ date }: Filters): [first: string, last: string] {
  if (date === undefined) return ['', '']
  if (date.kind === 'range') return [date.from, date.to]
  return [toDayName(new Date(toTimes(date, new Date()).from ?? 0)), '']
}

/** As ranges of days without gaps: an item may be imported into a day that had none, and counting may have ended early. */
function planDays(filters: Filters, parts: readonly string[][]): Segment[] {
  const zone = groupTimeZone(filters) === 'UTC' && filters.date?.kind === 'range' ? ({ zone: 'utc' } as const) : {}
  const withRange = (from: string, to: string): Filters => ({
    ...filters,
    date: from === '' && to === '' ? noFilters.date : { kind: 'range', from, to, ...zone },
  })
  const isOldest = filters.sort === 'oldest'
  const newestFirst = isOldest ? parts.toReversed() : parts
  const [firstDay, lastDay] = findBounds(filters)
  let to = lastDay
  const segments = newestFirst.map((values, index): Segment => {
    const from = index === newestFirst.length - 1 ? firstDay : (values.toSorted()[0] ?? '')
    const segment = { values, filters: withRange(from, to) }
    to = dayBefore(from)
    return segment
  })
  return isOldest ? segments.toReversed() : segments
}

function dayBefore(day: string): string {
  return day === '' ? '' : new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}
