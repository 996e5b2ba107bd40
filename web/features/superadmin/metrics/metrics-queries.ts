import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getMetrics, listMetricsParts, type MetricsParts } from '#contract/superadmin-metrics.ts'
import { call } from '#web/lib/api.ts'
import { type PartFilters, toPartQuery } from '../figure-parts.tsx'
import type { MetricsPartsSearch, MetricsSearch } from './metrics-search.ts'

/** Use of the instance in a period. */
export function metricsQuery({ from, to, step }: MetricsSearch) {
  const query = { from, to, ...(step !== '' && { step }) }
  return queryOptions({
    queryKey: ['superadmin', 'metrics', query],
    queryFn: ({ signal }) => call(getMetrics, { query, signal }),
    placeholderData: (previous) => previous,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

export function toMetricsParts({ figure, from, to, cohort }: MetricsPartsSearch, filters: PartFilters): MetricsParts {
  return { figure, from, to, ...(cohort !== '' && { cohort }), ...toPartQuery(filters) }
}

/** Organisations that a figure is made of, page by page. */
export function metricsPartsQuery(parts: MetricsPartsSearch, filters: PartFilters) {
  const query = { ...toMetricsParts(parts, filters), limit: 100 }
  return infiniteQueryOptions({
    queryKey: ['superadmin', 'metrics-parts', query],
    queryFn: ({ pageParam, signal }) =>
      call(listMetricsParts, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
