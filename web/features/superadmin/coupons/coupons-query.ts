import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import {
  type CouponFilters,
  type CouponOrder,
  type CouponState,
  couponOrders,
  couponStates,
  listCoupons,
} from '#contract/coupons.ts'
import { call } from '#web/lib/api.ts'

/** Filters, as they stand in the address. */
export interface CouponSearch {
  readonly search: string
  readonly state: CouponState | ''
  readonly order: CouponOrder
}

/** Of an address that anyone may have written: what is unknown is left out. */
export function readCouponSearch(params: URLSearchParams): CouponSearch {
  return {
    search: (params.get('search') ?? '').slice(0, 100),
    state: couponStates.find((each) => each === params.get('state')) ?? '',
    order: couponOrders.find((each) => each === params.get('order')) ?? 'latest',
  }
}

/** For the API and, by the same names, for the address. */
export function toCouponFilters({ search, state, order }: CouponSearch): CouponFilters {
  return {
    ...(search !== '' && { search }),
    ...(state !== '' && { state }),
    ...(order !== 'latest' && { order }),
  }
}

/** What all reads of coupons begin with. */
export const couponsKey = ['superadmin', 'coupons']

/** Coupons as Stripe has them. */
export function couponsQuery(search: CouponSearch) {
  const query = toCouponFilters(search)
  return infiniteQueryOptions({
    queryKey: [...couponsKey, query],
    queryFn: ({ pageParam, signal }) =>
      call(listCoupons, { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
