import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getNotificationPreferences, listNotifications } from '#contract/notifications.ts'
import { call } from '#web/lib/api.ts'
import { awaitEvents } from '#web/lib/organization-events.ts'

/** The member's notifications, newest first, in pages; the first page also has the unread count. */
export function notificationsQuery(organizationId: string) {
  return infiniteQueryOptions({
    queryKey: ['notifications', organizationId],
    queryFn: async ({ pageParam, signal }) => {
      await awaitEvents(organizationId)
      return call(listNotifications, {
        params: { organizationId },
        query: { ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      })
    },
    // TanStack Query infers the type of page parameters from the first.
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
