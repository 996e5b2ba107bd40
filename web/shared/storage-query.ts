import { queryOptions } from '@tanstack/react-query'
import { getStorageUsage } from '#contract/quotas.ts'
import { call } from '#web/lib/api.ts'

/** Storage in use: an organisation's files by project, and its exports. */
export function storageQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['storage', organizationId],
    queryFn: ({ signal }) => call(getStorageUsage, { params: { organizationId }, signal }),
    staleTime: 10_000,
    networkMode: 'always',
  })
}
