import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { listMembers } from '#contract/members.ts'
import { call } from '#web/lib/api.ts'
import { membersQuery } from '#web/lib/members-query.ts'

const pageSize = 50

/** Members whose name or address contains the words, by name, page by page. */
export function membersPageQuery(organizationId: string, search: string) {
  return infiniteQueryOptions({
    // Below the key of all members: whatever changes those changes the pages.
    queryKey: [...membersQuery(organizationId).queryKey, 'page', search],
    queryFn: ({ pageParam, signal }) =>
      call(listMembers, {
        params: { organizationId },
        query: {
          limit: pageSize,
          ...(search !== '' && { search }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
