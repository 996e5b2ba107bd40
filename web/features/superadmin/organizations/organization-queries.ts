import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  getInstanceOrganization,
  listInstanceOrganizations,
  type OrganizationFilters,
  type OrganizationOrder,
  type OrganizationState,
  organizationOrders,
  organizationStates,
} from '#contract/superadmin-organizations.ts'
import { call } from '#web/lib/api.ts'

export const organizationsKey = ['superadmin', 'organizations']

/** Filters, as they stand in the address. */
export interface OrganizationSearch {
  readonly search: string
  readonly state: OrganizationState | ''
  readonly order: OrganizationOrder
}

/** Of an address that anyone may have written: what is unknown is left out. */
export function readOrganizationSearch(params: URLSearchParams): OrganizationSearch {
  return {
    search: (params.get('q') ?? '').slice(0, 100),
    state: organizationStates.find((each) => each === params.get('state')) ?? '',
    order: organizationOrders.find((each) => each === params.get('order')) ?? 'latest',
  }
}

export function writeOrganizationSearch({ search, state, order }: OrganizationSearch): Record<string, string> {
  return {
    ...(search !== '' && { q: search }),
    ...(state !== '' && { state }),
    ...(order !== 'latest' && { order }),
  }
}

export function toOrganizationFilters({ search, state, order }: OrganizationSearch): OrganizationFilters {
  return { ...(search !== '' && { search }), ...(state !== '' && { state }), order }
}

/** Organisations that match, page by page. */
export function organizationsQuery(search: OrganizationSearch) {
  const query = { limit: 50, ...toOrganizationFilters(search) }
  return infiniteQueryOptions({
    queryKey: [...organizationsKey, 'list', query],
    queryFn: ({ pageParam, signal }) =>
      call(listInstanceOrganizations, {
        query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) },
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

export function organizationQuery(id: string) {
  return queryOptions({
    queryKey: [...organizationsKey, 'one', id],
    queryFn: ({ signal }) => call(getInstanceOrganization, { params: { organizationId: id }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
