import type { AnalyticsSearch } from './analytics-search.ts'

/** The inbox with the items behind a number: of these days and projects, and with these values. */
export function linkToInbox(
  { from, to, projects }: Pick<AnalyticsSearch, 'from' | 'to' | 'projects'>,
  filters: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(filters)
  for (const id of projects) search.append('project', id)
  search.set('from', from)
  search.set('to', to)
  // The sums are by days in UTC, and the inbox's own days are the reader's.
  search.set('days', 'utc')
  return `/dashboard/feedback?${search}`
}
