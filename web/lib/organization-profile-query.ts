import { queryOptions } from '@tanstack/react-query'
import { getOrganization } from '#contract/organizations.ts'
import { call } from './api.ts'

/** Name, slug and logo of an organisation. */
export function organizationProfileQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['organization', organizationId],
    queryFn: ({ signal }) => call(getOrganization, { params: { organizationId }, signal }),
    networkMode: 'always',
  })
}
