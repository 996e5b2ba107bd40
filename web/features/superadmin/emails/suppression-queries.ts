import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { listSuppressions, type SuppressionFilters } from '#contract/email-suppressions.ts'
import { call } from '#web/lib/api.ts'

export const suppressionsKey = ['superadmin', 'email-suppressions']

/** Addresses that get no emails, page by page. */
export function suppressionsQuery(filters: SuppressionFilters) {
  const query = { limit: 50, ...filters }
  return infiniteQueryOptions({
    queryKey: [...suppressionsKey, query],
    queryFn: ({ pageParam, signal }) =>
      call(listSuppressions, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
