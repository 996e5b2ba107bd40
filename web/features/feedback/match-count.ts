import type { countFeedback } from '#contract/inbox.ts'
import type { ReplyOf } from '#contract/route.ts'
import { type Filters, hasFilters, listFilters } from './feedback-filters.ts'
import { formatCount } from './format-count.ts'

type Counts = ReplyOf<typeof countFeedback>

/** `all 1,234`, `all 999+`, or `everything` where nobody has counted: how much the filters let through. */
export function describeMatches(filters: Filters, counts: Counts | undefined): string {
  const { count } = counts ? formatCount(findMatchCount(filters, counts), counts.limit) : {}
  return count === undefined ? 'everything' : `all ${count}`
}

/** The count of what the filters let through, if it is among those by single values. */
export function findMatchCount(filters: Filters, counts: Counts): number | undefined {
  // The chosen projects are counted alone.
  const others = { ...filters, project: [] }
  if (!hasFilters(others)) return counts.places[filters.place]
  const active = listFilters.filter((name) => name !== 'project' && filters[name].length > 0)
  const [name] = active
  if (name === undefined && filters.unread && !hasFilters({ ...others, unread: false })) return counts.unread
  if (name === undefined || name === 'project' || active.length > 1 || filters[name].length > 1) return undefined
  if (hasFilters({ ...others, [name]: [] })) return undefined
  return counts[name][filters[name][0] ?? '']
}
