import { useMutation } from '@tanstack/react-query'
import { createCheckout } from '#contract/billing.ts'
import type { PlanOffer } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import type { BillingPeriod } from './describe-plan.ts'

interface ChoosePlanButtonProps {
  organizationId: string
  plan: PlanOffer
  period: BillingPeriod
  promotionCode: string | null
}

/** Leads to Stripe’s page, where the plan is paid. */
export function ChoosePlanButton({ organizationId, plan, period, promotionCode }: ChoosePlanButtonProps) {
  const starting = useMutation({
    mutationFn: async () => {
      const { url } = await call(createCheckout, {
        params: { organizationId },
        body: {
          planId: plan.id,
          interval: period,
          ui: 'hosted',
          ...(promotionCode !== null && { promotionCode }),
        },
      })
      if (url !== null) window.location.assign(url)
    },
    networkMode: 'always',
  })
  return (
    <div className="flex flex-col gap-2">
      <Button
        // The page is left: the button stays busy until it is.
        loading={starting.isPending || starting.isSuccess}
        onClick={() => starting.mutate()}
      >
        Choose {plan.name}
      </Button>
      {starting.error && (
        <p role="alert" className="text-danger-text text-sm">
          {starting.error.message}
        </p>
      )}
    </div>
  )
}
