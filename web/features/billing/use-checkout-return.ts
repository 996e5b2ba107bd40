import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type BilledSubscription, listInvoices, refreshBilling } from '#contract/billing.ts'
import { capturePurchase } from '#web/lib/analytics.ts'
import { call } from '#web/lib/api.ts'
import { outdateBilling } from '#web/shared/outdate-billing.ts'
import { toast } from '#web/ui/toast.tsx'
import { billingQuery } from './billing-query.ts'

/** Before each question to Stripe: some payments take a while to be confirmed. */
const pausesMs = [0, 2_000, 5_000, 10_000]

/** What becomes of a checkout that someone returns from. */
export interface CheckoutReturn {
  /** `unconfirmed`: Stripe was asked several times, and the plan has not begun. */
  readonly state: 'none' | 'reading' | 'unconfirmed'
  readAgain(): void
}

/** On return from Stripe's page, the plan is read from Stripe at once, and then a few times more. */
export function useCheckoutReturn(organizationId: string): CheckoutReturn {
  const queryClient = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [state, setState] = useState<CheckoutReturn['state']>(search.get('checkout') === 'done' ? 'reading' : 'none')
  const isReading = state === 'reading'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each return, and when someone asks again
  useEffect(() => {
    if (!isReading) return
    const ending = new AbortController()
    void follow(ending.signal)
    return () => ending.abort()

    async function follow(signal: AbortSignal): Promise<void> {
      const billing = await findSubscribed(signal)
      if (signal.aborted) return
      if (billing) queryClient.setQueryData(billingQuery(organizationId).queryKey, billing)
      // The banner and the limits of the trial are outdated too: nothing says that the plan is active beside them.
      await outdateBilling(queryClient)
      if (signal.aborted) return
      setState(billing ? 'none' : 'unconfirmed')
      setSearch({}, { replace: true, preventScrollReset: true })
      if (!billing?.subscription) return
      const { subscription } = billing
      capturePurchase(() => readPurchase(organizationId, subscription))
      toast({ title: `Your plan ${subscription.plan.name} is active`, tone: 'success' })
    }

    async function findSubscribed(signal: AbortSignal) {
      for (const pauseMs of pausesMs) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        if (signal.aborted) return undefined
        // A refusal now is one more reason to ask again.
        const billing = await call(refreshBilling, { params: { organizationId } }).catch(() => undefined)
        if (billing?.subscription) return billing
      }
      return undefined
    }
  }, [organizationId, isReading])
  return { state, readAgain: () => setState('reading') }
}

/** The purchase under the id of its invoice: a refund names the same. */
async function readPurchase(organizationId: string, { plan, cents, interval, coupon }: BilledSubscription) {
  const { items } = await call(listInvoices, { params: { organizationId }, query: { limit: 1 } })
  const [invoice] = items
  return invoice && { transactionId: invoice.id, plan: plan.name, price: cents / 100, interval, coupon }
}
