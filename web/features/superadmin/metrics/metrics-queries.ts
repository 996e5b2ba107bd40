import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getMetrics, listMetricsParts, type MetricsPart, type metricsPartSorts } from '#contract/superadmin-metrics.ts'
import { call } from '#web/lib/api.ts'
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

export type PartSort = (typeof metricsPartSorts)[number]

export interface PartFilters {
  readonly search: string
  readonly sort: PartSort
}

const toQuery = ({ figure, from, to, cohort }: MetricsPartsSearch, { search, sort }: PartFilters) => ({
  figure,
  from,
  to,
  sort,
  ...(cohort !== '' && { cohort }),
  ...(search !== '' && { search }),
})

/** Organisations that a figure is made of, page by page. */
export function metricsPartsQuery(parts: MetricsPartsSearch, filters: PartFilters) {
  const query = { ...toQuery(parts, filters), limit: 100 }
  return infiniteQueryOptions({
    queryKey: ['superadmin', 'metrics-parts', query],
    queryFn: ({ pageParam, signal }) =>
      call(listMetricsParts, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** All pages, for a file. */
export async function loadAllParts(parts: MetricsPartsSearch, filters: PartFilters): Promise<MetricsPart[]> {
  const all: MetricsPart[] = []
  let cursor: string | null = null
  do {
    const page: { items: MetricsPart[]; nextCursor: string | null } = await call(listMetricsParts, {
      query: { ...toQuery(parts, filters), limit: 200, ...(cursor !== null && { cursor }) },
    })
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}
