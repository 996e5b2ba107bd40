import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listMembers } from '#contract/members.ts'
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

/** How many people work in an organisation. */
export function memberCountQuery(organizationId: string) {
  return queryOptions({
    // Below the key of all members: whatever changes those changes the number.
    queryKey: [...membersQuery(organizationId).queryKey, 'count'],
    queryFn: ({ signal }) => call(listMembers, { params: { organizationId }, query: { limit: 1 }, signal }),
    select: ({ total }) => total,
    staleTime: staleAfterMs,
    networkMode: 'always',
  })
}

const foundAtOnce = 50

/** The first members whose name or address contains the words, by name. */
export function memberSearchQuery(organizationId: string, words: string) {
  return queryOptions({
    queryKey: [...membersQuery(organizationId).queryKey, 'search', words],
    queryFn: ({ signal }) =>
      call(listMembers, {
        params: { organizationId },
        query: { limit: foundAtOnce, ...(words !== '' && { search: words }) },
        signal,
      }),
    select: ({ items }) => items,
    placeholderData: keepPreviousData,
    staleTime: staleAfterMs,
    networkMode: 'always',
  })
}
