import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getDoctorReport } from '#contract/superadmin-doctor.ts'
import { getMonitoring, getMonitoringHistory, listFailedJobs, listThresholds } from '#contract/superadmin-monitoring.ts'
import { call } from '#web/lib/api.ts'

/** Figures change once a minute. */
const refreshMs = 30_000
const pageSize = 20

export const monitoringQuery = queryOptions({
  queryKey: ['superadmin', 'monitoring', 'now'],
  queryFn: ({ signal }) => call(getMonitoring, { signal }),
  refetchOnMount: 'always',
  refetchInterval: refreshMs,
  networkMode: 'always',
})

/** Checks everything, which takes seconds: asked for by hand, and when the screen is opened. */
export const doctorQuery = queryOptions({
  queryKey: ['superadmin', 'monitoring', 'doctor'],
  queryFn: ({ signal }) => call(getDoctorReport, { signal }),
  refetchOnMount: 'always',
  refetchOnWindowFocus: false,
  networkMode: 'always',
})

export function historyQuery(hours: number) {
  return queryOptions({
    queryKey: ['superadmin', 'monitoring', 'history', hours],
    queryFn: ({ signal }) => call(getMonitoringHistory, { query: { hours }, signal }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
}

export const thresholdsQuery = queryOptions({
  queryKey: ['superadmin', 'monitoring', 'thresholds'],
  queryFn: ({ signal }) => call(listThresholds, { signal }),
  refetchOnMount: 'always',
  networkMode: 'always',
})

/** What all reads of failed jobs begin with. */
export const failedJobsKey = ['superadmin', 'monitoring', 'failed-jobs'] as const

export type JobSort = 'latest' | 'oldest'

export function failedJobsQuery({ search, sort }: { search: string; sort: JobSort }) {
  const query = { ...(search !== '' && { search }), sort, limit: pageSize }
  return infiniteQueryOptions({
    queryKey: [...failedJobsKey, query],
    queryFn: ({ pageParam, signal }) =>
      call(listFailedJobs, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
