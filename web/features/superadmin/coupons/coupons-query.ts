import { infiniteQueryOptions } from '@tanstack/react-query'
import { listCoupons } from '#contract/coupons.ts'
import { call } from '#web/lib/api.ts'

/** Coupons as Stripe has them, newest first. */
export const couponsQuery = infiniteQueryOptions({
  queryKey: ['superadmin', 'coupons'],
  queryFn: ({ pageParam, signal }) =>
    call(listCoupons, { query: { ...(pageParam !== undefined && { cursor: pageParam }) }, signal }),
  // TanStack Query infers the type of page parameters from the first.
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchOnMount: 'always',
  networkMode: 'always',
})
