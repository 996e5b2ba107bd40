import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getRevenue, listRevenueParts } from '#contract/revenue.ts'
import { call } from '#web/lib/api.ts'
import type { PartsSearch } from './parts-search.ts'

/** Revenue by month. @param months how many, the current one among them */
export function revenueQuery(months: number) {
  return queryOptions({
    queryKey: ['superadmin', 'revenue', months],
    queryFn: ({ signal }) => call(getRevenue, { query: { months }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** Organisations that a figure is made of, page by page. */
export function revenuePartsQuery({ figure, month, cohort }: PartsSearch) {
  const query = { figure, month, ...(cohort !== '' && { cohort }), limit: 100 }
  return infiniteQueryOptions({
    queryKey: ['superadmin', 'revenue-parts', query],
    queryFn: ({ pageParam, signal }) =>
      call(listRevenueParts, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
