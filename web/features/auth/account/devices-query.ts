import { queryOptions } from '@tanstack/react-query'
import { listSessions } from '#contract/auth.ts'
import { call } from '#web/lib/api.ts'

/** The devices that are signed in, last used first. Fetched again whenever the screen opens. */
export function devicesQuery(userId: string) {
  return queryOptions({
    queryKey: ['devices', userId],
    queryFn: async ({ signal }) => (await call(listSessions, { signal })).sessions,
    staleTime: 0,
  })
}
