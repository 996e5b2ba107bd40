import { useState } from 'react'
import { Link } from 'react-router'
import type { BilledSubscription } from '#contract/billing.ts'
import type { PlanOffer } from '#contract/plans.ts'
import type { Organization } from '#web/lib/organization.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { ChoosePlanButton } from './choose-plan-button.tsx'
import type { BillingPeriod } from './describe-plan.ts'

interface PlanActionProps {
  /** Undefined: no one is signed in. */
  organization: Organization | undefined
  /** Null: no plan runs. Undefined: not known yet. */
  subscription: BilledSubscription | null | undefined
  plan: PlanOffer
  period: BillingPeriod
  promotionCode: string | null
}

/** What someone can do with an offered plan. */
export function PlanAction({ organization, subscription, plan, period, promotionCode }: PlanActionProps) {
  const [isChanging, setChanging] = useState(false)
  if (!organization) {
    return (
      <Button asChild>
        <Link to="/register">Start free trial</Link>
      </Button>
    )
  }
  // Only owners pay.
  if (organization.role !== 'owner' || subscription === undefined) return null
  if (subscription === null) {
    return (
      <ChoosePlanButton organizationId={organization.id} plan={plan} period={period} promotionCode={promotionCode} />
    )
  }
  if (subscription.plan.id === plan.id && subscription.interval === period) {
    return (
      <p className="flex h-9 items-center">
        <Badge tone="accent">Your plan</Badge>
      </p>
    )
  }
  return (
    <>
      <Button variant="secondary" onClick={() => setChanging(true)}>
        Change to {plan.name}
      </Button>
      {isChanging && (
        <ChangePlanDialog
          organizationId={organization.id}
          plan={plan}
          period={period}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  )
}
