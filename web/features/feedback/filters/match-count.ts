import type { countFeedback } from '#contract/inbox.ts'
import type { ReplyOf } from '#contract/route.ts'
import { formatCount } from '#web/shared/format-count.ts'
import { type Filters, hasFilters, listFilters } from './feedback-filters.ts'

type Counts = ReplyOf<typeof countFeedback>

/** `all 1,234`, `all 999+`, or `all` without a count: how many items match the filters. */
export function describeMatches(filters: Filters, counts: Counts | undefined): string {
  const { count } = counts ? formatCount(findMatchCount(filters, counts), counts.limit) : {}
  return count === undefined ? 'all' : `all ${count}`
}

/** The count of what the filters let through, if it is among those by single values. */
export function findMatchCount(filters: Filters, counts: Counts): number | undefined {
  // The chosen projects are counted alone.
  const others = { ...filters, project: [] }
  if (!hasFilters(others)) return counts.locations[filters.location]
  const active = listFilters.filter((name) => name !== 'project' && filters[name].length > 0)
  const [name] = active
  if (name === undefined && filters.unread && !hasFilters({ ...others, unread: false })) return counts.unread
  if (name === undefined || name === 'project' || active.length > 1 || filters[name].length > 1) return undefined
  if (hasFilters({ ...others, [name]: [] })) return undefined
  return counts[name][filters[name][0] ?? '']
}
