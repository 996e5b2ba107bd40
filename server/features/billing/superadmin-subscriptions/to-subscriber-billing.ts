import { type BilledSubscription, type BillingInterval, billingIntervals } from '#contract/billing.ts'
import type { Subscriber, SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import type { Mirror, MirroredPayment, MirroredRefund, MirroredSubscription } from '../stripe/mirror.ts'
import { isOpen, pickSubscription } from '../stripe/subscription-states.ts'
import type { GrantDetails, SubscriberRow } from './subscribers.queries.ts'

type Payment = SubscriberBilling['payments'][number]

/** Payments and refunds that are shown, at most. */
const shown = 100

export function toSubscriber(row: SubscriberRow): Subscriber {
  const { id, name, slug, createdAt, owners, status, planId, planKey, planName, isGranted, revenueCents } = row
  return {
    organization: { id, name, slug, createdAt: createdAt.toISOString() },
    owners: [...owners],
    status,
    plan: planId === null ? null : { id: planId, key: planKey ?? '', name: planName ?? '' },
    isGranted,
    revenueCents,
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
  }
}

export interface FoundBilling {
  readonly row: SubscriberRow
  readonly mirror: Mirror
  readonly grant: GrantDetails | undefined
  readonly customer: { readonly customerId: string; readonly convergedAt: Date | null } | undefined
  /** Names of plans, by id. */
  readonly plans: ReadonlyMap<string, { readonly id: string; readonly key: string; readonly name: string }>
}

export function toSubscriberBilling({ row, mirror, grant, customer, plans }: FoundBilling): SubscriberBilling {
  const subscription = pickSubscription(mirror.subscriptions)
  return {
    ...toSubscriber(row),
    subscription: subscription && isOpen(subscription) ? toSubscription(subscription, plans) : null,
    grantedPlan: grant
      ? {
          plan: { id: grant.planId, key: grant.planKey, name: grant.planName },
          endsAt: grant.endsAt?.toISOString() ?? null,
          reason: grant.reason,
          grantedAt: grant.grantedAt.toISOString(),
          grantedBy: grant.grantedBy,
        }
      : null,
    customerId: customer?.customerId ?? null,
    convergedAt: customer?.convergedAt?.toISOString() ?? null,
    payments: mirror.payments
      .toSorted(newestFirst)
      .slice(0, shown)
      .map((each) => toPayment(each, mirror.refunds)),
    refunds: mirror.refunds.toSorted(newestFirst).slice(0, shown).map(toRefund),
  }
}

function toSubscription(subscription: MirroredSubscription, plans: FoundBilling['plans']): BilledSubscription {
  const { id, planId, cents, currency, coupon, createdAt, periodEnd, cancelAt } = subscription
  return {
    id,
    // A subscription is picked for its plan.
    plan: plans.get(planId ?? '') ?? { id: planId ?? '', key: '', name: '' },
    interval: toBillingInterval(subscription.interval),
    cents,
    currency,
    coupon,
    startedAt: createdAt.toISOString(),
    periodEnd: periodEnd?.toISOString() ?? null,
    cancelAt: cancelAt?.toISOString() ?? null,
  }
}

function toPayment(payment: MirroredPayment, refunds: readonly MirroredRefund[]): Payment {
  const { id, number, totalCents, taxCents, paidCents, currency, createdAt, paidAt, pageUrl, pdfUrl } = payment
  const status = (['open', 'paid', 'void', 'uncollectible'] as const).find((each) => each === payment.status) ?? 'open'
  return {
    id,
    number,
    status,
    totalCents,
    taxCents,
    refundedCents: sumRefunds(refunds, id),
    currency,
    createdAt: createdAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    pageUrl,
    pdfUrl,
    paidCents,
  }
}

/** Refunded of a payment or about to be, in cents. */
function sumRefunds(refunds: readonly MirroredRefund[], paymentId: string): number {
  return refunds
    .filter((each) => each.paymentId === paymentId && each.status !== 'failed' && each.status !== 'canceled')
    .reduce((sum, { cents }) => sum + cents, 0)
}

function toRefund({ id, paymentId, cents, currency, status, createdAt }: MirroredRefund) {
  return { id, paymentId, cents, currency, status, createdAt: createdAt.toISOString() }
}

/** Our prices have no other intervals. */
function toBillingInterval(interval: string): BillingInterval {
  return billingIntervals.find((each) => each === interval) ?? 'month'
}

function newestFirst(a: { readonly createdAt: Date }, b: { readonly createdAt: Date }): number {
  return Number(b.createdAt) - Number(a.createdAt)
}
