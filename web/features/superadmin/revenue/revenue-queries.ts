import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getRevenue, listRevenueParts, type RevenueParts } from '#contract/revenue.ts'
import { call } from '#web/lib/api.ts'
import { type PartFilters, toPartQuery } from '../figure-parts.tsx'
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

export function toRevenueParts({ figure, month, cohort }: PartsSearch, filters: PartFilters): RevenueParts {
  return { figure, month, ...(cohort !== '' && { cohort }), ...toPartQuery(filters) }
}

/** Organisations that a figure is made of, page by page. */
export function revenuePartsQuery(parts: PartsSearch, filters: PartFilters) {
  const query = { ...toRevenueParts(parts, filters), limit: 100 }
  return infiniteQueryOptions({
    queryKey: ['superadmin', 'revenue-parts', query],
    queryFn: ({ pageParam, signal }) =>
      call(listRevenueParts, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
