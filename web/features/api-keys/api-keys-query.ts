import { queryOptions } from '@tanstack/react-query'
import { listApiKeys } from '#contract/api-keys.ts'
import { call } from '#web/lib/api.ts'

/** API keys of a project, newest first. For owners. */
export function apiKeysQuery(organizationId: string, projectId: string) {
  return queryOptions({
    queryKey: ['api-keys', organizationId, projectId],
    queryFn: ({ signal }) => call(listApiKeys, { params: { organizationId, projectId }, signal }),
    select: ({ items }) => items,
    networkMode: 'always',
  })
}
