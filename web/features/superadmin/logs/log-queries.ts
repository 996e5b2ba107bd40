import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getLogStatus, listLogs } from '#contract/superadmin-logs.ts'
import { call } from '#web/lib/api.ts'
import { type LogSearch, toLogFilters } from './log-search.ts'

const logsKey = ['superadmin', 'logs']
const pageSize = 200

type PagePlace = { readonly before: string } | { readonly after: string } | Record<string, never>

/** Lines that match, latest first. Pages before the first are newer, pages after the last older. */
export function logsQuery(search: LogSearch) {
  return infiniteQueryOptions({
    queryKey: [...logsKey, 'list', search],
    queryFn: ({ pageParam, signal }) =>
      call(listLogs, { query: { ...toLogFilters(search, Date.now()), limit: pageSize, ...pageParam }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: (search.around === '' ? {} : { after: search.around }) as PagePlace,
    getNextPageParam: ({ olderThan }): PagePlace | undefined =>
      olderThan === null ? undefined : { before: olderThan },
    getPreviousPageParam: ({ newerThan }): PagePlace | undefined =>
      newerThan === null ? undefined : { after: newerThan },
    placeholderData: keepPreviousData,
    // Newer lines arrive by the tail: reading all pages again would be slow and bring nothing.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    networkMode: 'always',
  })
}

export const logStatusQuery = queryOptions({
  queryKey: [...logsKey, 'status'],
  queryFn: ({ signal }) => call(getLogStatus, { signal }),
  refetchOnMount: 'always',
  networkMode: 'always',
})
