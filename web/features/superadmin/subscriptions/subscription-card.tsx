import type { SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardContent, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { Fact } from '#web/ui/fact.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { formatCents } from '../format-money.ts'
import { StatusBadge } from './status-badge.tsx'

export type BillingAct = 'change_plan' | 'give_plan' | 'revoke_plan' | 'extend_trial' | 'cancel'

/** Facts of an organisation's plan, and the acts that are possible. */
export function SubscriptionCard({ billing, onAct }: { billing: SubscriberBilling; onAct: (act: BillingAct) => void }) {
  const { subscription, grantedPlan, status } = billing
  return (
    <Card aria-labelledby="plan-title">
      <CardHeader>
        <CardTitle id="plan-title">Plan</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <dl className="divide-y divide-border text-base">
          <Fact name="Status">
            <span className="inline-flex flex-wrap justify-end gap-2">
              <StatusBadge status={status} />
              {billing.isGranted && <Badge tone="accent">Given</Badge>}
            </span>
          </Fact>
          <Fact name="Plan">{billing.plan?.name ?? 'None'}</Fact>
          <Fact name="Monthly recurring revenue">
            <span className="tabular-nums">{formatCents(billing.revenueCents)}</span>
          </Fact>
          {billing.trialEndsAt !== null && (
            <Fact name={Date.parse(billing.trialEndsAt) > Date.now() ? 'Trial ends' : 'Trial ended'}>
              {formatDay(billing.trialEndsAt)}
            </Fact>
          )}
          {grantedPlan && (
            <Fact name="Given without payment">
              {grantedPlan.plan.name},{' '}
              {grantedPlan.endsAt === null ? 'without end' : `until ${formatDay(grantedPlan.endsAt)}`}
              <span className="block text-muted text-sm [overflow-wrap:anywhere]">
                {grantedPlan.reason} ({grantedPlan.grantedBy ?? 'deleted account'}, {formatDay(grantedPlan.grantedAt)})
              </span>
            </Fact>
          )}
          <StripeFacts billing={billing} />
        </dl>
        {status === 'self_hosted' ? (
          <p className="text-base text-muted">This organisation has no limits, so it needs no plan.</p>
        ) : (
          <div className="flex flex-wrap gap-2">
            {subscription && <Button onClick={() => onAct('change_plan')}>Change plan</Button>}
            <Button variant={subscription ? 'secondary' : 'primary'} onClick={() => onAct('give_plan')}>
              {grantedPlan ? 'Change given plan' : 'Give plan'}
            </Button>
            {grantedPlan && (
              <Button variant="secondary" onClick={() => onAct('revoke_plan')}>
                Revoke plan
              </Button>
            )}
            {canExtendTrial(billing) && (
              <Button variant="secondary" onClick={() => onAct('extend_trial')}>
                Extend trial
              </Button>
            )}
            {subscription && (
              <Button variant="secondary" onClick={() => onAct('cancel')}>
                Cancel subscription
              </Button>
            )}
          </div>
        )}
      </CardContent>
    </Card>
  )
}

function StripeFacts({ billing: { subscription, customerId, convergedAt } }: { billing: SubscriberBilling }) {
  if (customerId === null) return <Fact name="Stripe">Never paid</Fact>
  return (
    <>
      {subscription && (
        <Fact name="Subscription">
          {subscription.plan.name}, {formatCents(subscription.cents, { currency: subscription.currency })} a{' '}
          {subscription.interval}
          <span className="block text-muted text-sm">{describePeriod(subscription)}</span>
        </Fact>
      )}
      {subscription?.coupon && <Fact name="Coupon">{subscription.coupon}</Fact>}
      <Fact name="Stripe customer">
        <code className="break-all text-sm">{customerId}</code>
      </Fact>
      {convergedAt !== null && (
        <Fact name="Compared with Stripe">
          <RelativeTime iso={convergedAt} />
        </Fact>
      )}
    </>
  )
}

function describePeriod({ cancelAt, periodEnd }: NonNullable<SubscriberBilling['subscription']>): string {
  if (cancelAt !== null) return `Cancelled, ends on ${formatDay(cancelAt)}`
  return periodEnd === null ? '' : `Renews on ${formatDay(periodEnd)}`
}

/** The server decides; this leaves out what it would refuse. */
function canExtendTrial({ status, grantedPlan, payments, subscription }: SubscriberBilling): boolean {
  const isWithoutPlan = status === 'trialing' || status === 'expired'
  return isWithoutPlan && !grantedPlan && !subscription && payments.length === 0
}
