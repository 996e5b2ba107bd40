import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getBilling, getUpcomingPayment, listInvoices } from '#contract/billing.ts'
import { call } from '#web/lib/api.ts'
import { billingKey } from '#web/shared/query-keys.ts'

/** The subscription, and what is owed. */
export function billingQuery(organizationId: string) {
  return queryOptions({
    queryKey: [...billingKey, organizationId, 'subscription'],
    queryFn: ({ signal }) => call(getBilling, { params: { organizationId }, signal }),
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** The next invoice and the payment method: Stripe is asked. */
export function upcomingQuery(organizationId: string) {
  return queryOptions({
    queryKey: [...billingKey, organizationId, 'upcoming'],
    queryFn: ({ signal }) => call(getUpcomingPayment, { params: { organizationId }, signal }),
    refetchOnMount: 'always',
    // The server has waited for Stripe already.
    retry: false,
    networkMode: 'always',
  })
}

/** Invoices, the newest first, page by page. */
export function invoicesQuery(organizationId: string) {
  return infiniteQueryOptions({
    queryKey: [...billingKey, organizationId, 'invoices'],
    queryFn: ({ pageParam, signal }) =>
      call(listInvoices, {
        params: { organizationId },
        ...(pageParam !== undefined && { query: { cursor: pageParam } }),
        signal,
      }),
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}
