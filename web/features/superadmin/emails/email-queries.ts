import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getOutboxSummary, listOutboxEmails } from '#contract/superadmin-emails.ts'
import { call } from '#web/lib/api.ts'
import { type EmailSearch, toFilters } from './email-search.ts'

const pageSize = 50

/** Emails that match, page by page. */
export function emailsQuery(search: EmailSearch) {
  const query = { ...toFilters(search), limit: pageSize }
  return infiniteQueryOptions({
    queryKey: ['superadmin', 'emails', query],
    queryFn: ({ pageParam, signal }) =>
      call(listOutboxEmails, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

export const emailSummaryQuery = queryOptions({
  queryKey: ['superadmin', 'email-summary'],
  queryFn: ({ signal }) => call(getOutboxSummary, { signal }),
  refetchOnMount: 'always',
  networkMode: 'always',
})
