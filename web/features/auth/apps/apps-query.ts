import { queryOptions } from '@tanstack/react-query'
import { listConnectedApps } from '#contract/connected-apps.ts'
import { call } from '#web/lib/api.ts'

/** The apps that the person has connected, newest first. Fetched again whenever the screen opens. */
export function connectedAppsQuery(userId: string) {
  return queryOptions({
    queryKey: ['connected-apps', userId],
    queryFn: async ({ signal }) => (await call(listConnectedApps, { signal })).items,
    staleTime: 0,
  })
}
