import { queryOptions } from '@tanstack/react-query'
import { getProject } from '#contract/projects.ts'
import { call } from '#web/lib/api.ts'

const staleAfterMs = 10_000

/** One project, with when its widget was last loaded. */
export function projectQuery(organizationId: string, projectId: string) {
  return queryOptions({
    queryKey: ['projects', organizationId, projectId],
    queryFn: ({ signal }) => call(getProject, { params: { organizationId, projectId }, signal }),
    staleTime: staleAfterMs,
    networkMode: 'always',
  })
}
