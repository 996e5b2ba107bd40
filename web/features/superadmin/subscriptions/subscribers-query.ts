import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getSubscriber, listSubscribers, type SubscriberFilters } from '#contract/superadmin-subscriptions.ts'
import { call } from '#web/lib/api.ts'
import type { SubscriberSearch } from './subscriber-search.ts'

const pageSize = 50

export function toSubscriberFilters({ search, status, planId, sort }: SubscriberSearch): SubscriberFilters {
  return {
    ...(search !== '' && { search }),
    ...(status !== '' && { status }),
    ...(planId !== '' && { planId }),
    sort,
  }
}

/** Organisations that match, page by page. */
export function subscribersQuery(search: SubscriberSearch) {
  const query = { ...toSubscriberFilters(search), limit: pageSize }
  return infiniteQueryOptions({
    queryKey: ['superadmin', 'subscribers', query],
    queryFn: ({ pageParam, signal }) =>
      call(listSubscribers, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** The billing of one organisation. */
export function subscriberQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['superadmin', 'subscriber', organizationId],
    meta: { isOfOthers: true },
    queryFn: ({ signal }) => call(getSubscriber, { params: { organizationId }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
