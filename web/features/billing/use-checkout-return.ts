import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { refreshBilling } from '#contract/billing.ts'
import { call } from '#web/lib/api.ts'
import { toast } from '#web/ui/toast.tsx'
import { billingKey, billingQuery } from './billing-query.ts'
import { entitlementsQuery } from './entitlements-query.ts'

/** Some payments take a while to be confirmed. */
const pausesMs = [0, 2_000, 5_000, 10_000]

/**
 * On return from Stripe's page, the plan is read from Stripe at once, and then a few times more.
 *
 * @returns whether that is under way.
 */
export function useCheckoutReturn(organizationId: string): boolean {
  const queryClient = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [isWaiting, setWaiting] = useState(search.get('checkout') === 'done')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each return
  useEffect(() => {
    if (!isWaiting) return
    const ending = new AbortController()
    void follow(ending.signal)
    return () => ending.abort()

    async function follow(signal: AbortSignal): Promise<void> {
      for (const pauseMs of pausesMs) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        if (signal.aborted) return
        // A refusal now is one more reason to ask again.
        const billing = await call(refreshBilling, { params: { organizationId } }).catch(() => undefined)
        if (signal.aborted) return
        if (!billing?.subscription) continue
        queryClient.setQueryData(billingQuery(organizationId).queryKey, billing)
        toast({ title: `Your plan ${billing.subscription.plan.name} is active`, tone: 'success' })
        break
      }
      setWaiting(false)
      setSearch({}, { replace: true })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: billingKey(organizationId) }),
        queryClient.invalidateQueries({ queryKey: entitlementsQuery(organizationId).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['current-organization'] }),
      ])
    }
  }, [organizationId])
  return isWaiting
}
