import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listInvitations } from '#contract/invitations.ts'
import { call } from '#web/lib/api.ts'

const pageSize = 50

/** How many invitations of an organisation have no answer. For those who may invite. */
export function invitationsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['invitations', organizationId],
    queryFn: ({ signal }) => call(listInvitations, { params: { organizationId }, query: { limit: 1 }, signal }),
    select: ({ total }) => total,
    networkMode: 'always',
  })
}

/** Invitations without an answer, newest first, page by page. */
export function invitationsPageQuery(organizationId: string) {
  return infiniteQueryOptions({
    // Below the key of all invitations: whatever changes those changes the pages.
    queryKey: [...invitationsQuery(organizationId).queryKey, 'page'],
    queryFn: ({ pageParam, signal }) =>
      call(listInvitations, {
        params: { organizationId },
        query: { limit: pageSize, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
