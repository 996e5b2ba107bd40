import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listImpersonations } from '#contract/impersonations.ts'
import {
  getInstanceUser,
  listInstanceUsers,
  type UserFilters,
  type UserState,
  userStates,
} from '#contract/superadmin-users.ts'
import { isUuid } from '#contract/uuid.ts'
import { call } from '#web/lib/api.ts'

export const usersKey = ['superadmin', 'users']

/** Filters, as they stand in the address. */
export interface UserSearch {
  readonly search: string
  readonly state: UserState | ''
  readonly isOldestFirst: boolean
  /** Empty: of all. */
  readonly organizationId: string
}

/** Of an address that anyone may have written: what is unknown is left out. */
export function readUserSearch(params: URLSearchParams): UserSearch {
  const organizationId = params.get('organization') ?? ''
  return {
    search: (params.get('q') ?? '').slice(0, 200),
    state: userStates.find((each) => each === params.get('state')) ?? '',
    isOldestFirst: params.get('order') === 'oldest',
    organizationId: isUuid(organizationId) ? organizationId : '',
  }
}

export function writeUserSearch(wanted: UserSearch): Record<string, string> {
  const { search, state, isOldestFirst, organizationId } = wanted
  return {
    ...(search !== '' && { q: search }),
    ...(state !== '' && { state }),
    ...(isOldestFirst && { order: 'oldest' }),
    ...(organizationId !== '' && { organization: organizationId }),
  }
}

export function toUserFilters({ search, state, isOldestFirst, organizationId }: UserSearch): UserFilters {
  return {
    ...(search !== '' && { search }),
    ...(state !== '' && { state }),
    ...(isOldestFirst && { order: 'oldest' as const }),
    ...(organizationId !== '' && { organizationId }),
  }
}

/** Accounts that match, page by page. */
export function usersQuery(search: UserSearch) {
  const query = { limit: 50, ...toUserFilters(search) }
  return infiniteQueryOptions({
    queryKey: [...usersKey, 'list', query],
    queryFn: ({ pageParam, signal }) =>
      call(listInstanceUsers, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** The last impersonations of an account. */
export function impersonationsQuery(id: string) {
  return queryOptions({
    queryKey: [...usersKey, 'impersonations', id],
    queryFn: ({ signal }) => call(listImpersonations, { params: { accountId: id }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: [...usersKey, 'one', id],
    queryFn: ({ signal }) => call(getInstanceUser, { params: { accountId: id }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
