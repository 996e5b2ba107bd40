import { useState } from 'react'
import { Link } from 'react-router'
import { type BilledSubscription, type Billing, reactivateSubscription } from '#contract/billing.ts'
import type { Entitlements } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CancelPlanDialog } from './cancel-plan-dialog.tsx'
import { formatPrice } from './describe-plan.ts'
import { describeSubscription } from './describe-subscription.ts'
import { PromotionCodeForm } from './promotion-code-form.tsx'
import { useBillingAct } from './use-billing-act.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'

interface PlanSectionProps {
  organizationId: string
  entitlements: Entitlements
  billing: Billing
}

/** The plan: what it costs, until when it runs, and what can be done with it. */
export function PlanSection({ organizationId, entitlements, billing }: PlanSectionProps) {
  const { title, text, hasPlans } = describeSubscription(entitlements, formatDay)
  const { subscription } = billing
  if (subscription) {
    return <RunningPlan organizationId={organizationId} subscription={subscription} billing={billing} />
  }
  return (
    <>
      <div className="flex flex-col gap-1 p-5 text-base">
        <p className="font-medium text-lg">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      {hasPlans && (
        <SettingsBar>
          <Button asChild variant={entitlements.hasEnded ? 'primary' : 'secondary'}>
            <Link to="/plan-selection">Choose a plan</Link>
          </Button>
        </SettingsBar>
      )}
    </>
  )
}

interface RunningPlanProps {
  organizationId: string
  subscription: BilledSubscription
  billing: Billing
}

function RunningPlan({ organizationId, subscription, billing: { withdrawableUntil } }: RunningPlanProps) {
  const { plan, cents, interval, periodEnd, cancelAt, coupon } = subscription
  const [shown, setShown] = useState<'cancel' | 'withdraw'>()
  const keeping = useBillingAct(
    organizationId,
    () => call(reactivateSubscription, { params: { organizationId } }),
    () => toast({ title: `You keep ${plan.name}`, tone: 'success' }),
  )
  const close = () => setShown(undefined)
  return (
    <>
      <div className="flex flex-col gap-1 p-5 text-base">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium text-lg">
          {plan.name}, {formatPrice(cents)} a {interval}
          {coupon !== null && <Badge tone="accent">Discount applied</Badge>}
        </p>
        {cancelAt === null ? (
          <p className="text-muted">{periodEnd === null ? 'Renews.' : `Renews on ${formatDay(periodEnd)}.`}</p>
        ) : (
          <p role="status" className="text-warning-text">
            Your plan ends on {formatDay(cancelAt)}. Nothing is charged any more.
          </p>
        )}
        {keeping.error && (
          <p role="alert" className="text-danger-text">
            {keeping.error.message}
          </p>
        )}
      </div>
      {cancelAt === null && <PromotionCodeForm organizationId={organizationId} />}
      <SettingsBar>
        {withdrawableUntil !== null && (
          <Button variant="ghost" onClick={() => setShown('withdraw')}>
            Withdraw from contract
          </Button>
        )}
        {cancelAt === null ? (
          <Button variant="ghost" onClick={() => setShown('cancel')}>
            Cancel plan
          </Button>
        ) : (
          <Button loading={keeping.isPending} onClick={() => keeping.mutate(undefined)}>
            Keep plan
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link to="/plan-selection">Change plan</Link>
        </Button>
      </SettingsBar>
      {shown === 'cancel' && (
        <CancelPlanDialog organizationId={organizationId} subscription={subscription} onClose={close} />
      )}
      {shown === 'withdraw' && <WithdrawDialog organizationId={organizationId} planName={plan.name} onClose={close} />}
    </>
  )
}
