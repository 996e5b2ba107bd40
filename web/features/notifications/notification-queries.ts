import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getNotificationPreferences, listNotices } from '#contract/notifications.ts'
import { call } from '#web/lib/api.ts'

/** What concerns the person, newest first, page by page; the first page also says how much is new. */
export function noticesQuery(organizationId: string) {
  return infiniteQueryOptions({
    queryKey: ['notices', organizationId],
    queryFn: ({ pageParam, signal }) =>
      call(listNotices, {
        params: { organizationId },
        query: { ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 10_000,
    networkMode: 'always',
  })
}

export function preferencesQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['notification-preferences', organizationId],
    queryFn: ({ signal }) => call(getNotificationPreferences, { params: { organizationId }, signal }),
    networkMode: 'always',
  })
}
