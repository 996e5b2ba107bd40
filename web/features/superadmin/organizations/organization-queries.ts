import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type SubscriptionStatus, subscriptionStatuses } from '#contract/plans.ts'
import {
  getInstanceOrganization,
  getInstanceOrganizationStorage,
  listInstanceOrganizations,
  type OrganizationFilters,
  type OrganizationOrder,
  type OrganizationState,
  organizationOrders,
  organizationStates,
} from '#contract/superadmin-organizations.ts'
import { isUuid } from '#contract/uuid.ts'
import { call } from '#web/lib/api.ts'

export const organizationsKey = ['superadmin', 'organizations']

/** Filters, as they stand in the address. */
export interface OrganizationSearch {
  readonly search: string
  readonly state: OrganizationState | ''
  readonly status: SubscriptionStatus | ''
  /** Empty: any. */
  readonly planId: string
  readonly order: OrganizationOrder
}

/** Of an address that anyone may have written: what is unknown is left out. */
export function readOrganizationSearch(params: URLSearchParams): OrganizationSearch {
  const planId = params.get('plan') ?? ''
  return {
    search: (params.get('q') ?? '').slice(0, 100),
    state: organizationStates.find((each) => each === params.get('state')) ?? '',
    status: subscriptionStatuses.find((each) => each === params.get('status')) ?? '',
    planId: isUuid(planId) ? planId : '',
    order: organizationOrders.find((each) => each === params.get('order')) ?? 'latest',
  }
}

export function writeOrganizationSearch(wanted: OrganizationSearch): Record<string, string> {
  const { search, state, status, planId, order } = wanted
  return {
    ...(search !== '' && { q: search }),
    ...(state !== '' && { state }),
    ...(status !== '' && { status }),
    ...(planId !== '' && { plan: planId }),
    ...(order !== 'latest' && { order }),
  }
}

export function toOrganizationFilters(wanted: OrganizationSearch): OrganizationFilters {
  const { search, state, status, planId, order } = wanted
  return {
    ...(search !== '' && { search }),
    ...(state !== '' && { state }),
    ...(status !== '' && { status }),
    ...(planId !== '' && { planId }),
    order,
  }
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
    meta: { isOfOthers: true },
    queryFn: ({ signal }) => call(getInstanceOrganization, { params: { organizationId: id }, signal }),
    // While it is being removed, until it is gone.
    refetchInterval: ({ state }) => (state.data?.isBeingRemoved && !state.error ? 2_000 : false),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** Summed up when it is asked for. */
export function storageQuery(id: string) {
  return queryOptions({
    queryKey: [...organizationsKey, 'storage', id],
    meta: { isOfOthers: true },
    queryFn: ({ signal }) => call(getInstanceOrganizationStorage, { params: { organizationId: id }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
