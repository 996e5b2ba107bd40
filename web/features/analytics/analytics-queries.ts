import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type AnalyticsQuery,
  getAnalyticsFunnel,
  getAnalyticsOrigins,
  getAnalyticsTimes,
  getAnalyticsTrends,
  getInboxOverview,
} from '#contract/analytics.ts'
import { call } from '#web/lib/api.ts'

// Counts lag by seconds; an open screen refreshes every 30 s.
const timing = { staleTime: 5_000, refetchInterval: 30_000, placeholderData: keepPreviousData } as const

export function trendsQuery(organizationId: string, query: AnalyticsQuery) {
  return queryOptions({
    queryKey: ['analytics', organizationId, 'trends', query],
    queryFn: ({ signal }) => call(getAnalyticsTrends, { params: { organizationId }, query, signal }),
    ...timing,
  })
}

export function timesQuery(organizationId: string, query: AnalyticsQuery) {
  return queryOptions({
    queryKey: ['analytics', organizationId, 'times', query],
    queryFn: ({ signal }) => call(getAnalyticsTimes, { params: { organizationId }, query, signal }),
    ...timing,
  })
}

export function originsQuery(organizationId: string, query: AnalyticsQuery) {
  return queryOptions({
    queryKey: ['analytics', organizationId, 'origins', query],
    queryFn: ({ signal }) => call(getAnalyticsOrigins, { params: { organizationId }, query, signal }),
    ...timing,
  })
}

export function funnelQuery(organizationId: string, query: AnalyticsQuery) {
  return queryOptions({
    queryKey: ['analytics', organizationId, 'funnel', query],
    queryFn: ({ signal }) => call(getAnalyticsFunnel, { params: { organizationId }, query, signal }),
    ...timing,
  })
}

export function overviewQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['analytics', organizationId, 'overview'],
    queryFn: ({ signal }) => call(getInboxOverview, { params: { organizationId }, signal }),
    ...timing,
    refetchOnMount: 'always',
  })
}
