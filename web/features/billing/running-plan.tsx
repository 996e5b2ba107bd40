import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type BilledSubscription, reactivateSubscription } from '#contract/billing.ts'
import type { SubscriptionStatus } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { SettingsBar } from '#web/ui/settings-section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { CancelPlanDialog } from './cancel-plan-dialog.tsx'
import { formatPrice } from './describe-plan.ts'
import { describeRunningPlan } from './describe-running-plan.ts'
import { PromotionCodeForm } from './promotion-code-form.tsx'
import { useBillingAct } from './use-billing-act.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'

interface RunningPlanProps {
  organizationId: string
  status: SubscriptionStatus
  subscription: BilledSubscription
  withdrawableUntil: string | null
}

/** A plan that is billed, and what can be done with it. */
export function RunningPlan({ organizationId, status, subscription, withdrawableUntil }: RunningPlanProps) {
  const { plan, cents, interval, cancelAt, coupon } = subscription
  const [shown, setShown] = useState<'cancel' | 'withdraw'>()
  const [search] = useSearchParams()
  const close = () => setShown(undefined)
  const { text, isWarning } = describeRunningPlan(status, subscription, formatDay)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 pt-5 font-medium text-lg">
        <p>
          {plan.name}, {formatPrice(cents)} a {interval}
        </p>
        {coupon !== null && <Badge tone="accent">Discount applied</Badge>}
      </div>
      <div
        {...(isWarning && { role: 'status' })}
        className={cn(
          'text-base',
          isWarning
            ? 'mx-5 mt-3 mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-md bg-warning-soft px-3 py-2.5 text-warning-text'
            : 'px-5 pt-1 pb-5 text-muted',
        )}
      >
        <p>{text}</p>
        {cancelAt !== null && <KeepPlan organizationId={organizationId} planName={plan.name} />}
      </div>
      {cancelAt === null && (
        <PromotionCodeForm organizationId={organizationId} initialCode={search.get('code') ?? ''} />
      )}
      <SettingsBar>
        {withdrawableUntil !== null && (
          <Button variant="ghost" onClick={() => setShown('withdraw')}>
            Withdraw from contract
          </Button>
        )}
        {cancelAt === null && (
          <Button variant="ghost" onClick={() => setShown('cancel')}>
            Cancel plan
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link to="/plan-selection">Change plan</Link>
        </Button>
      </SettingsBar>
      {shown === 'cancel' && (
        <CancelPlanDialog organizationId={organizationId} subscription={subscription} onClose={close} />
      )}
      {shown === 'withdraw' && withdrawableUntil !== null && (
        <WithdrawDialog
          organizationId={organizationId}
          planName={plan.name}
          withdrawableUntil={withdrawableUntil}
          onClose={close}
        />
      )}
    </>
  )
}

function KeepPlan({ organizationId, planName }: { organizationId: string; planName: string }) {
  const keeping = useBillingAct(
    organizationId,
    () => call(reactivateSubscription, { params: { organizationId } }),
    () => toast({ title: `You keep ${planName}`, tone: 'success' }),
  )
  return (
    <>
      <Button size="sm" loading={keeping.isPending} onClick={() => keeping.mutate(undefined)}>
        Keep plan
      </Button>
      {keeping.error && (
        <p role="alert" className="basis-full text-danger-text">
          {keeping.error.message}
        </p>
      )}
    </>
  )
}
