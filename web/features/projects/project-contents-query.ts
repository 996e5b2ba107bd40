import { queryOptions } from '@tanstack/react-query'
import { getProjectContents } from '#contract/projects.ts'
import { call } from '#web/lib/api.ts'

/** What would be lost with a project, or with what is older than some days. */
export function projectContentsQuery(organizationId: string, projectId: string, olderThanDays?: number) {
  return queryOptions({
    queryKey: ['projects', organizationId, projectId, 'contents', olderThanDays ?? null],
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

/** `1 item`, `1,204 items`; from the limit on `10,000 or more items`. */
export function formatAtMost(count: number, limit: number, one: string, many: string): string {
  const shown = count.toLocaleString('en-GB')
  return `${shown}${count >= limit ? ' or more' : ''} ${count === 1 ? one : many}`
}
