import { queryOptions } from '@tanstack/react-query'
import { getEntitlements } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { billingKey } from '#web/shared/query-keys.ts'

/** Use changes with each item that arrives: it is read again whenever it is shown. */
const staleAfterMs = 10_000

/** An organisation's trial, plan and limits, and what it uses. */
export function entitlementsQuery(organizationId: string) {
  return queryOptions({
    queryKey: [...billingKey, organizationId, 'entitlements'],
    queryFn: ({ signal }) => call(getEntitlements, { params: { organizationId }, signal }),
    staleTime: staleAfterMs,
    networkMode: 'always',
  })
}
