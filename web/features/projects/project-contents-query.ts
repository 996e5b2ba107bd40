import { queryOptions } from '@tanstack/react-query'
import { getProjectContents } from '#contract/projects.ts'
import { call } from '#web/lib/api.ts'
import { projectQuery } from './project-query.ts'

/** What would be lost with a project, or with what is older than some days. */
export function projectContentsQuery(organizationId: string, projectId: string, olderThanDays?: number) {
  return queryOptions({
    queryKey: [...projectQuery(organizationId, projectId).queryKey, 'contents', olderThanDays ?? null],
    queryFn: ({ signal }) =>
      call(getProjectContents, {
        params: { organizationId, projectId },
        query: { ...(olderThanDays !== undefined && { olderThanDays }) },
        signal,
      }),
    staleTime: 0,
    networkMode: 'always',
  })
}
