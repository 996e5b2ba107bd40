import { type SubscriptionStatus, subscriptionStatuses } from '#contract/plans.ts'
import { type SubscriberSort, subscriberSorts } from '#contract/superadmin-subscriptions.ts'
import { isUuid } from '#contract/uuid.ts'

/** Filters and order, as they stand in the address. */
export interface SubscriberSearch {
  readonly search: string
  readonly status: SubscriptionStatus | ''
  readonly planId: string
  readonly sort: SubscriberSort
}

/** Of an address that anyone may have written: what is unknown is left out. */
export function readSubscriberSearch(params: URLSearchParams): SubscriberSearch {
  const planId = params.get('plan') ?? ''
  return {
    search: (params.get('q') ?? '').slice(0, 200),
    status: subscriptionStatuses.find((each) => each === params.get('status')) ?? '',
    planId: isUuid(planId) ? planId : '',
    sort: subscriberSorts.find((each) => each === params.get('sort')) ?? 'newest',
  }
}

export function writeSubscriberSearch({ search, status, planId, sort }: SubscriberSearch): Record<string, string> {
  return {
    ...(search !== '' && { q: search }),
    ...(status !== '' && { status }),
    ...(planId !== '' && { plan: planId }),
    ...(sort !== 'newest' && { sort }),
  }
}

export function isFiltered({ search, status, planId }: SubscriberSearch): boolean {
  return search !== '' || status !== '' || planId !== ''
}
