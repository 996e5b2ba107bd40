import { queryOptions } from '@tanstack/react-query'
import { listSavedViews } from '#contract/views.ts'
import { call } from '#web/lib/api.ts'

/** Saved views: one's own and the team's, by name. */
export function viewsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['views', organizationId],
    queryFn: ({ signal }) => call(listSavedViews, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    staleTime: 30_000,
    networkMode: 'always',
  })
}
