import { useState } from 'react'
import { Link } from 'react-router'
import type { BilledSubscription } from '#contract/billing.ts'
import type { PlanOffer } from '#contract/plans.ts'
import type { Organization } from '#web/lib/organization.tsx'
import { addRedirect } from '#web/lib/redirect.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { ChoosePlanButton } from './choose-plan-button.tsx'
import type { BillingPeriod } from './describe-plan.ts'

interface PlanActionProps {
  /** Undefined: no one is signed in. */
  organization: Organization | undefined
  /** Null: none runs. Undefined: not known yet, or the reader is no owner. */
  subscription: BilledSubscription | null | undefined
  plan: PlanOffer
  period: BillingPeriod
  promotionCode: string | null
}

/** What someone can do with an offered plan. */
export function PlanAction({ organization, subscription, plan, period, promotionCode }: PlanActionProps) {
  const [isChanging, setChanging] = useState(false)
  if (!organization) {
    const target = promotionCode === null ? '' : `?${new URLSearchParams({ code: promotionCode })}`
    return (
      <Button asChild>
        <Link to={target === '' ? '/register' : addRedirect('/register', `/plan-selection${target}`)}>
          Start free trial
        </Link>
      </Button>
    )
  }
  if (hasPlan(organization, subscription, plan, period)) {
    return (
      <p className="flex h-9 items-center">
        <Badge tone="accent">Your plan</Badge>
      </p>
    )
  }
  // Only owners pay.
  if (organization.role !== 'owner' || subscription === undefined) return null
  if (subscription === null) {
    return (
      <ChoosePlanButton organizationId={organization.id} plan={plan} period={period} promotionCode={promotionCode} />
    )
  }
  const isSamePlan = subscription.plan.id === plan.id
  return (
    <>
      <Button variant="secondary" onClick={() => setChanging(true)}>
        Change to {isSamePlan ? `${period}ly payment` : plan.name}
      </Button>
      {isChanging && (
        <ChangePlanDialog
          organizationId={organization.id}
          subscription={subscription}
          plan={plan}
          period={period}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  )
}

/** Whether a plan runs, paid for that period. Members who are no owner don’t know the period. */
function hasPlan(
  { subscriptionStatus, subscriptionPlanId }: Organization,
  subscription: BilledSubscription | null | undefined,
  plan: PlanOffer,
  period: BillingPeriod,
): boolean {
  if (subscription) return subscription.plan.id === plan.id && subscription.interval === period
  return (subscriptionStatus === 'active' || subscriptionStatus === 'past_due') && subscriptionPlanId === plan.id
}
