import { createCheckout } from '#contract/billing.ts'
import type { PlanOffer } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import type { BillingPeriod } from './describe-plan.ts'
import { useDeparture } from './use-departure.ts'

interface ChoosePlanButtonProps {
  organizationId: string
  plan: PlanOffer
  period: BillingPeriod
  promotionCode: string | null
}

/** Leads to Stripe’s page, where the plan is paid. */
export function ChoosePlanButton({ organizationId, plan, period, promotionCode }: ChoosePlanButtonProps) {
  const { leave, isLeaving, error } = useDeparture(() =>
    call(createCheckout, {
      params: { organizationId },
      body: { planId: plan.id, interval: period, ui: 'hosted', ...(promotionCode !== null && { promotionCode }) },
    }),
  )
  return (
    <div className="flex flex-col gap-2">
      <Button loading={isLeaving} onClick={leave}>
        Choose {plan.name}
      </Button>
      {error && (
        <p role="alert" className="text-base text-danger-text">
          {error.message}
        </p>
      )}
    </div>
  )
}
