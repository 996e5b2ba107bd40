/* Changes of subscriptions (https://docs.stripe.com/api/subscriptions/update). */
import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata, snapshotOf } from './account.ts'
import { endDiscount } from './discounts.ts'
import { addInvoice, attemptPayment, describeFailure, finalizeInvoice } from './invoices.ts'
import { requireOwnPaymentMethod } from './payment-methods.ts'
import { daySeconds } from './periods.ts'
import { type BillingPlan, describeUpdateInvoice, planBilling } from './plan-billing.ts'
import { notImplemented, refuse, type StripeRefusal } from './refusal.ts'
import { endUsedDiscounts, giveDiscounts, readDiscounts, setCancellationDetails, setPeriod } from './subscriptions.ts'
import { requireTaxLocation } from './tax.ts'

/** @throws StripeRefusal, 402 with `error_if_incomplete` */
export function updateSubscription(
  account: Account,
  id: string,
  params: Stripe.SubscriptionUpdateParams,
): Stripe.Subscription {
  const subscription = account.tables.subscriptions.get(id)
  checkUpdate(account, subscription, params)
  const behavior = params.payment_behavior ?? 'allow_incomplete'
  const update = () => {
    const before = snapshotOf(subscription)
    const failure = changeBilling(account, subscription, params, behavior)
    changeFields(account, subscription, params)
    if (JSON.stringify(before) !== JSON.stringify(subscription))
      account.emit('customer.subscription.updated', subscription, before)
    if (failure && behavior === 'error_if_incomplete') throw failure
    return subscription
  }
  return behavior === 'error_if_incomplete' ? account.atomically(update) : update()
}

function checkUpdate(
  account: Account,
  subscription: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): void {
  const names = Object.keys(params).filter((name) => name !== 'expand')
  const isEnded = subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
  const wrong = names.find((name) => name !== 'cancellation_details' && name !== 'metadata')
  if (isEnded && wrong !== undefined) {
    const message = 'A canceled subscription can only update its cancellation_details and metadata.'
    throw refuse(message, undefined, 'invalid_canceled_subscription_fields')
  }
  if (params.cancel_at_period_end !== undefined && params.cancel_at)
    throw refuse(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      'cancel_at',
      'parameters_exclusive',
    )
  if (params.payment_behavior === 'pending_if_incomplete') {
    const supported = /^(items|proration_behavior|proration_date|payment_behavior|trial_end|billing_cycle_anchor)$/
    const other = names.find((name) => !supported.test(name))
    if (other !== undefined) throw refuse(`${other} is not supported with pending_if_incomplete.`, other)
  }
  if (params.automatic_tax?.enabled)
    requireTaxLocation(account, account.getCustomer(idOf(subscription.customer)), 'automatic_tax')
  const { proration_date: date } = params
  const [item] = subscription.items.data
  if (date !== undefined && item && (date < item.current_period_start || date > item.current_period_end))
    throw refuse('Cannot specify proration_date outside of the current period.', 'proration_date')
}

/** @returns the refusal of a payment that failed */
function changeBilling(
  account: Account,
  subscription: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
  behavior: string,
): StripeRefusal | undefined {
  const plan = planBilling(account, subscription, params)
  if (!plan) return undefined
  const pending = account.pendingLines.get(subscription.id) ?? []
  const lines = plan.bills ? [...pending, ...plan.lines] : plan.lines
  const apply = () => applyPlan(account, subscription, plan)
  const isPendingAllowed = behavior === 'pending_if_incomplete'
  if (!isPendingAllowed) apply()
  if (lines.length === 0 || !plan.bills) {
    if (isPendingAllowed) apply()
    if (lines.length > 0) account.pendingLines.set(subscription.id, [...pending, ...lines])
    return undefined
  }
  account.pendingLines.delete(subscription.id)
  const invoice = addInvoice(account, describeUpdateInvoice(account, subscription, plan, lines))
  if (plan.resetsCycle) endUsedDiscounts(account, subscription, plan.at)
  // Until it is paid, the update waits.
  if (isPendingAllowed) holdUpdate(account, subscription, plan, invoice.id, apply)
  finalizeInvoice(account, invoice)
  if (invoice.status !== 'open' || behavior === 'default_incomplete') return undefined
  const result = attemptPayment(account, invoice)
  return result === 'paid' ? undefined : describeFailure(account, invoice, result)
}

function applyPlan(account: Account, subscription: Stripe.Subscription, plan: BillingPlan): void {
  subscription.items.data = plan.items
  subscription.pending_update = null
  account.pendingUpdates.delete(subscription.id)
  if (plan.resetsCycle) subscription.billing_cycle_anchor = plan.at
  if (plan.endsTrial) {
    subscription.trial_end = plan.at
    subscription.status = 'active'
  }
}

function holdUpdate(
  account: Account,
  subscription: Stripe.Subscription,
  plan: BillingPlan,
  invoice: string,
  apply: () => void,
): void {
  subscription.pending_update = {
    billing_cycle_anchor: plan.resetsCycle ? plan.at : null,
    cancel_at_period_end: null,
    discount: null,
    discounts: null,
    expires_at: account.now(subscription.test_clock) + 23 * 3600,
    metadata: null,
    subscription_items: plan.items,
    trial_end: null,
    trial_from_plan: null,
  }
  account.pendingUpdates.set(subscription.id, { invoice, apply })
}

function changeFields(
  account: Account,
  subscription: Stripe.Subscription,
  params: Stripe.SubscriptionUpdateParams,
): void {
  const customer = idOf(subscription.customer)
  if (params.default_payment_method !== undefined)
    subscription.default_payment_method = requireOwnPaymentMethod(
      account,
      params.default_payment_method,
      customer,
      'default_payment_method',
    )
  if (params.metadata !== undefined) subscription.metadata = mergeMetadata(subscription.metadata, params.metadata)
  if (params.description !== undefined) subscription.description = params.description || null
  if (params.automatic_tax !== undefined)
    subscription.automatic_tax = {
      disabled_reason: null,
      enabled: params.automatic_tax.enabled,
      liability: params.automatic_tax.enabled ? { type: 'self' } : null,
    }
  if (typeof params.trial_end === 'number') moveTrialEnd(account, subscription, params.trial_end)
  if (params.discounts !== undefined) {
    const redemptions = readDiscounts(account, params.discounts, customer, subscription.items.data)
    for (const each of subscription.discounts) endDiscount(account, subscription, idOf(each))
    giveDiscounts(account, subscription, redemptions)
  }
  if (params.cancel_at_period_end !== undefined) cancelAtPeriodEnd(account, subscription, params.cancel_at_period_end)
  if (params.cancel_at !== undefined) cancelAt(account, subscription, params.cancel_at)
  setCancellationDetails(subscription, params.cancellation_details)
}

function moveTrialEnd(account: Account, subscription: Stripe.Subscription, end: number): void {
  const now = account.now(subscription.test_clock)
  if (end <= now) throw refuse('trial_end must be in the future', 'trial_end')
  if (end > now + 730 * daySeconds) throw refuse('trial_end must be within two years', 'trial_end')
  subscription.trial_start ??= now
  subscription.trial_end = end
  subscription.billing_cycle_anchor = end
  subscription.status = 'trialing'
  setPeriod(subscription, now, end)
}

function cancelAtPeriodEnd(account: Account, subscription: Stripe.Subscription, isWanted: boolean): void {
  subscription.cancel_at_period_end = isWanted
  subscription.cancel_at = isWanted ? (subscription.items.data[0]?.current_period_end ?? null) : null
  markCancellation(account, subscription, isWanted)
}

function cancelAt(
  account: Account,
  subscription: Stripe.Subscription,
  time: Stripe.SubscriptionUpdateParams['cancel_at'],
): void {
  if (typeof time === 'string' && time !== '') throw notImplemented('cancel_at')
  if (typeof time === 'number' && time <= account.now(subscription.test_clock))
    throw refuse('cancel_at must be in the future', 'cancel_at')
  subscription.cancel_at = typeof time === 'number' ? time : null
  subscription.cancel_at_period_end = false
  markCancellation(account, subscription, typeof time === 'number')
}

function markCancellation(account: Account, subscription: Stripe.Subscription, isWanted: boolean): void {
  subscription.canceled_at = isWanted ? account.now(subscription.test_clock) : null
  const { comment = null, feedback = null } = (isWanted && subscription.cancellation_details) || {}
  const reason = isWanted ? 'cancellation_requested' : null
  subscription.cancellation_details = { comment, feedback, feedback_option: null, reason }
}
