import { queryOptions } from '@tanstack/react-query'
import { getProject } from '#contract/projects.ts'
import { call } from '#web/lib/api.ts'
import { projectsQuery } from '#web/lib/projects-query.ts'

const staleAfterMs = 10_000

/** One project, with when its widget was last loaded. */
export function projectQuery(organizationId: string, projectId: string) {
  return queryOptions({
    queryKey: [...projectsQuery(organizationId).queryKey, projectId],
    queryFn: ({ signal }) => call(getProject, { params: { organizationId, projectId }, signal }),
    staleTime: staleAfterMs,
    networkMode: 'always',
  })
}
