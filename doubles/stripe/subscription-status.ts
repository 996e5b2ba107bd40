/* The states of a subscription that payments and cancellations lead to (https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses). */
import type Stripe from 'stripe'
import { type Account, snapshotOf } from './account.ts'

/** Changes the status after a payment. Ended subscriptions stay ended. */
export function settleSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  result: 'paid' | 'past_due' | 'incomplete',
): void {
  const { status } = subscription
  if (status === 'canceled' || status === 'incomplete_expired') return
  const isTrialing = subscription.trial_end !== null && subscription.trial_end > account.now(subscription.test_clock)
  const next = result !== 'paid' ? result : isTrialing ? 'trialing' : 'active'
  if (next === status) return
  const before = snapshotOf(subscription)
  subscription.status = next
  account.emit('customer.subscription.updated', subscription, before)
}

interface Cancellation {
  readonly status?: 'canceled' | 'incomplete_expired'
  readonly reason?: Stripe.Subscription.CancellationDetails.Reason
}

/** Ends a subscription at once. */
export function endSubscription(account: Account, subscription: Stripe.Subscription, how: Cancellation = {}): void {
  const now = account.now(subscription.test_clock)
  subscription.status = how.status ?? 'canceled'
  subscription.canceled_at ??= now
  subscription.ended_at = now
  subscription.pending_update = null
  account.pendingUpdates.delete(subscription.id)
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    ...subscription.cancellation_details,
    reason: how.reason ?? subscription.cancellation_details?.reason ?? 'cancellation_requested',
  }
  if (subscription.status === 'canceled') account.emit('customer.subscription.deleted', subscription)
  else account.emit('customer.subscription.updated', subscription)
}
