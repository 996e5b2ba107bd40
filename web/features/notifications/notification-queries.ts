import { queryOptions } from '@tanstack/react-query'
import { getNotificationPreferences, listNotices } from '#contract/notifications.ts'
import { call } from '#web/lib/api.ts'

export function noticesQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['notices', organizationId],
    queryFn: ({ signal }) => call(listNotices, { params: { organizationId }, query: {}, signal }),
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
