import { queryOptions } from '@tanstack/react-query'
import { listMembers } from '#contract/organizations.ts'
import { call } from './api.ts'

/** People join and leave seldom: older than this, the list is read again when it is shown. */
const staleAfterMs = 60_000

/** The people who work in an organisation, by name. */
export function membersQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['members', organizationId],
    queryFn: ({ signal }) => call(listMembers, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    staleTime: staleAfterMs,
    networkMode: 'always',
  })
}
