import { lazy, Suspense, useState } from 'react'
import { createCheckout } from '#contract/billing.ts'
import type { PlanOffer } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { useConfig } from '#web/lib/config.tsx'
import { Button } from '#web/ui/button.tsx'
import type { BillingPeriod } from './describe-plan.ts'
import { useDeparture } from './use-departure.ts'

const EmbeddedCheckoutDialog = lazy(() => import('./embedded-checkout-dialog.tsx'))

interface ChoosePlanButtonProps {
  organizationId: string
  plan: PlanOffer
  period: BillingPeriod
  promotionCode: string | null
}

/** Leads to Stripe’s page, where the plan is paid, or shows Stripe’s form here. */
export function ChoosePlanButton({ organizationId, plan, period, promotionCode }: ChoosePlanButtonProps) {
  const [isPaying, setPaying] = useState(false)
  const isEmbedded = useConfig().stripeScriptUrl !== null
  const choice = { planId: plan.id, interval: period, ...(promotionCode !== null && { promotionCode }) }
  const { leave, isLeaving, error } = useDeparture(() =>
    call(createCheckout, { params: { organizationId }, body: { ...choice, ui: 'hosted' } }),
  )
  return (
    <div className="flex flex-col gap-2">
      <Button loading={isLeaving} onClick={isEmbedded ? () => setPaying(true) : leave}>
        Choose {plan.name}
      </Button>
      {error && (
        <p role="alert" className="text-base text-danger-text">
          {error.message}
        </p>
      )}
      {isPaying && (
        <Suspense fallback={null}>
          <EmbeddedCheckoutDialog
            organizationId={organizationId}
            planName={plan.name}
            choice={choice}
            onClose={() => setPaying(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
