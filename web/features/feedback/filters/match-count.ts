import { useQuery } from '@tanstack/react-query'
import { type countFeedback, matchLimit } from '#contract/inbox.ts'
import type { ReplyOf } from '#contract/route.ts'
import { locale } from '#web/lib/locale.ts'
import { countsQuery, matchesQuery } from '../feedback-queries.ts'
import { type Filters, hasFilters, type ListFilter, listFilters } from './feedback-filters.ts'

type Counts = ReplyOf<typeof countFeedback>

/** How many items match: exact below `limit`, and `limit` or more at it. */
export interface MatchCount {
  readonly count: number
  readonly limit: number
}

/** Filters of which an item has one value, so that the counts of several values add up. */
const singleValued: readonly ListFilter[] = ['status', 'priority', 'type', 'source', 'rating', 'assignee']

/**
 * How many items the filters let through; undefined: not known yet.
 * @param listed the length of the list, if it is loaded to its end
 */
export function useMatchCount(
  organizationId: string,
  filters: Filters,
  listed: number | undefined,
): MatchCount | undefined {
  const { data: counts, isPlaceholderData } = useQuery(countsQuery(organizationId, filters))
  const known = listed ?? (counts && !isPlaceholderData ? findMatchCount(filters, counts) : undefined)
  const isCounted = known === undefined && counts !== undefined && !isPlaceholderData
  const { data: matches } = useQuery({ ...matchesQuery(organizationId, filters), enabled: isCounted })
  if (known !== undefined) return { count: known, limit: Number.POSITIVE_INFINITY }
  return matches && { count: matches.count, limit: matchLimit }
}

/** `1,234`, or `10,000+` from the limit on. */
export function formatMatchCount({ count, limit }: MatchCount): string {
  return `${count.toLocaleString(locale)}${count >= limit ? '+' : ''}`
}

/** The count of what the filters let through, if it follows from the counts by single values. */
export function findMatchCount(filters: Filters, counts: Counts): number | undefined {
  // The selected projects are counted alone.
  const others: Filters = { ...filters, project: [] }
  if (!hasFilters(others)) {
    if (filters.location !== 'inbox') return counts.locations[filters.location] ?? 0
    return filters.stage === 'all' ? (counts.locations.inbox ?? 0) : counts.stages[filters.stage]
  }
  for (const flag of ['unread', 'unanswered'] as const) {
    if (filters[flag] && !hasFilters({ ...others, [flag]: false })) return counts[flag]
  }
  const active = listFilters.filter((name) => others[name].length > 0)
  const [name] = active
  if (name === undefined || name === 'project' || active.length > 1) return undefined
  if (hasFilters({ ...others, [name]: [] })) return undefined
  if (filters[name].length > 1 && !singleValued.includes(name)) return undefined
  // A tag may be written in another letter case than it is counted in.
  if (name === 'tag') return counts.tag[filters.tag[0] ?? '']
  return filters[name].reduce((total, value) => total + (counts[name][value] ?? 0), 0)
}
