import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getOutboxEmail, getOutboxSummary, listOutboxEmails } from '#contract/superadmin-emails.ts'
import { call } from '#web/lib/api.ts'
import { type EmailSearch, toFilters } from './email-search.ts'

const pageSize = 50
export const emailsKey = ['superadmin', 'emails']

/** Emails that match, page by page. */
export function emailsQuery(search: EmailSearch) {
  const query = { ...toFilters(search), limit: pageSize }
  return infiniteQueryOptions({
    queryKey: [...emailsKey, 'list', query],
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
  queryKey: [...emailsKey, 'summary'],
  queryFn: ({ signal }) => call(getOutboxSummary, { signal }),
  refetchOnMount: 'always',
  networkMode: 'always',
})

/** An email and its attempts. */
export function emailQuery(id: string) {
  return queryOptions({
    queryKey: [...emailsKey, 'one', id],
    queryFn: ({ signal }) => call(getOutboxEmail, { params: { emailId: id }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
