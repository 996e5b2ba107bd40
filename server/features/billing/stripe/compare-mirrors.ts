import type { PayloadOf } from '#contract/events.ts'
import type { KnownPlan } from './mirror.queries.ts'
import type { Mirror, MirroredPayment, MirroredSubscription } from './mirror.ts'
import { isOpen, pickSubscription, toStatus } from './subscription-states.ts'

type Plans = ReadonlyMap<string, KnownPlan>

/** Events by name: undefined where nothing of the kind happened. */
export type MirrorEvents = {
  [N in
    | 'subscription.started'
    | 'subscription.upgraded'
    | 'subscription.downgraded'
    | 'subscription.cancelled'
    | 'subscription.reactivated'
    | 'payment.succeeded'
    | 'payment.failed'
    | 'payment.refunded']?: PayloadOf<N>
}

/**
 * Events between two states of the mirror. Changes that were undone between two reads leave no trace: a plan that was
 * changed and changed back is no event.
 */
export function compareMirrors(before: Mirror, after: Mirror, plans: Plans): MirrorEvents {
  return {
    ...compareSubscriptions(pickSubscription(before.subscriptions), pickSubscription(after.subscriptions), plans),
    ...comparePayments(before, after, plans),
    ...compareRefunds(before, after, plans),
  }
}

function compareSubscriptions(
  before: MirroredSubscription | undefined,
  after: MirroredSubscription | undefined,
  plans: Plans,
): MirrorEvents {
  if (!after) return {}
  const now = describePlan(after, plans)
  if (!before || !isOpen(before)) {
    // One that came and went unseen has started and was cancelled.
    const isNew = before?.id !== after.id
    if (!isNew && !isOpen(after)) return {}
    const begun: MirrorEvents = before
      ? { 'subscription.reactivated': { subscriptions: [now] } }
      : { 'subscription.started': { subscriptions: [now] } }
    return { ...begun, ...(isLeaving(after) && cancelled(after, plans)) }
  }
  return {
    ...comparePlans(before, after, plans),
    ...(!isLeaving(before) && isLeaving(after) && cancelled(after, plans)),
    ...(isLeaving(before) && !isLeaving(after) && { 'subscription.reactivated': { subscriptions: [now] } }),
  }
}

function comparePlans(before: MirroredSubscription, after: MirroredSubscription, plans: Plans): MirrorEvents {
  if (before.planId === after.planId && before.interval === after.interval) return {}
  const size = ({ planId, interval }: MirroredSubscription) =>
    (plans.get(planId ?? '')?.monthlyCents ?? 0) * 10 + (interval === 'year' ? 1 : 0)
  const { plan, price, interval } = describePlan(before, plans)
  const change = { subscriptions: [{ ...describePlan(after, plans), from: { plan, price, interval } }] }
  return size(after) >= size(before) ? { 'subscription.upgraded': change } : { 'subscription.downgraded': change }
}

/** Whether it has ended or will end with its period. */
function isLeaving(subscription: MirroredSubscription): boolean {
  return toStatus(subscription.status) === 'canceled' || subscription.cancelAt !== null
}

function cancelled(subscription: MirroredSubscription, plans: Plans): MirrorEvents {
  const { cancelReason: reason, endedAt, cancelAt } = subscription
  const endsAt = (endedAt ?? cancelAt)?.toISOString() ?? null
  return { 'subscription.cancelled': { subscriptions: [{ ...describePlan(subscription, plans), reason, endsAt }] } }
}

function describePlan({ id, planId, cents, interval, currency }: MirroredSubscription, plans: Plans) {
  return { subscriptionId: id, plan: nameOf(planId, plans) ?? '', price: cents, interval, currency }
}

function nameOf(planId: string | null, plans: Plans): string | null {
  return plans.get(planId ?? '')?.name ?? null
}

function comparePayments(before: Mirror, after: Mirror, plans: Plans): MirrorEvents {
  const known = new Map(before.payments.map((payment) => [payment.id, payment]))
  const paid = after.payments.filter(
    (each) => each.status === 'paid' && each.totalCents > 0 && known.get(each.id)?.status !== 'paid',
  )
  const failed = after.payments.filter(
    (each) => each.error !== null && each.attempts > (known.get(each.id)?.attempts ?? 0),
  )
  return {
    ...(paid.length > 0 && { 'payment.succeeded': { payments: paid.map((each) => describePurchase(each, plans)) } }),
    ...(failed.length > 0 && {
      'payment.failed': {
        payments: failed.map((each) => ({ ...describePayment(each, plans), error: each.error ?? '' })),
      },
    }),
  }
}

function describePayment({ id, planId, totalCents, currency, interval, coupon }: MirroredPayment, plans: Plans) {
  return { transactionId: id, plan: nameOf(planId, plans) ?? '', price: totalCents, currency, interval, coupon }
}

/** With the item that SPEC.md section 3 states. */
function describePurchase(payment: MirroredPayment, plans: Plans) {
  const purchase = describePayment(payment, plans)
  const item = { name: `${purchase.plan} Plan`, category: 'Subscription', quantity: 1, price: purchase.price } as const
  return { ...purchase, items: [item] }
}

function compareRefunds(before: Mirror, after: Mirror, plans: Plans): MirrorEvents {
  const succeeded = ({ refunds }: Mirror) => refunds.filter(({ status }) => status === 'succeeded')
  const known = new Set(succeeded(before).map(({ id }) => id))
  const planOf = new Map(after.payments.map(({ id, planId }) => [id, nameOf(planId, plans)]))
  const refunds = succeeded(after)
    .filter(({ id }) => !known.has(id))
    .map(({ id, paymentId, cents, currency }) => ({
      refundId: id,
      transactionId: paymentId,
      plan: planOf.get(paymentId ?? '') ?? null,
      amount: cents,
      currency,
    }))
  return refunds.length > 0 ? { 'payment.refunded': { refunds } } : {}
}
