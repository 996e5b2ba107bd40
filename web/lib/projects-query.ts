import { queryOptions } from '@tanstack/react-query'
import { listProjects } from '#contract/projects.ts'
import { call } from './api.ts'

/** Counts and install states change under way: older than this, a list is read again when it is shown. */
const staleAfterMs = 10_000

/** All projects of an organisation, by name. */
export function projectsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['projects', organizationId],
    queryFn: ({ signal }) => call(listProjects, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    staleTime: staleAfterMs,
    networkMode: 'always',
  })
}
