/* Subscriptions: creation, changes and cancellation (https://docs.stripe.com/api/subscriptions). */
import type Stripe from 'stripe'
import { type Account, idOf, listOf, mergeMetadata } from './account.ts'
import { createBlankSubscription } from './blank-subscription.ts'
import { endDiscount, type Redemption, readRedemption, redeem } from './discounts.ts'
import { addInvoice, attemptPayment, describeFailure, finalizeInvoice, refuseWithoutMethod } from './invoices.ts'
import { findDefaultPaymentMethod, requireOwnPaymentMethod } from './payment-methods.ts'
import { daySeconds } from './periods.ts'
import { notImplemented, refuse } from './refusal.ts'
import {
  createItem,
  createPeriodLine,
  endOfPeriod,
  type ItemRequest,
  readItemPrice,
  readQuantity,
  requireSameInterval,
} from './subscription-items.ts'
import { endSubscription } from './subscription-status.ts'
import { requireTaxLocation } from './tax.ts'

const maxItems = 20

/** Creates one by request. @throws StripeRefusal, 402 with `error_if_incomplete` */
export function createSubscription(account: Account, params: Stripe.SubscriptionCreateParams): Stripe.Subscription {
  if (params.customer === undefined) throw refuse('Missing required param: customer.', 'customer', 'parameter_missing')
  if (params.collection_method === 'send_invoice') throw notImplemented('collection_method')
  const create = () => {
    const subscription = addSubscription(account, params, {})
    const first = billFirstPeriod(account, subscription, params.payment_behavior ?? 'allow_incomplete')
    if (first) throw first
    return subscription
  }
  const customer = account.getCustomer(params.customer)
  const hasMethod =
    (params.default_payment_method ?? findDefaultPaymentMethod(account, customer, undefined)) !== undefined
  // A declined card leaves an incomplete subscription, unless the request asks for an error; without a card nothing is created.
  return params.payment_behavior === 'error_if_incomplete' || !hasMethod ? account.atomically(create) : create()
}

interface CheckoutFacts {
  readonly checkoutSession?: string
  readonly managedPayments?: boolean
}

/** Adds a subscription that is not billed yet. */
export function addSubscription(
  account: Account,
  params: Stripe.SubscriptionCreateParams,
  checkout: CheckoutFacts,
): Stripe.Subscription {
  const customer = account.getCustomer(params.customer ?? '')
  const now = account.now(customer.test_clock)
  const id = account.newId('sub')
  const items = readNewItems(account, params.items ?? [], id, now)
  const currency = items[0]?.price.currency ?? 'usd'
  if (params.currency !== undefined && params.currency.toLowerCase() !== currency)
    throw refuse(
      `The price specified only supports \`${currency}\`. This doesn't match the expected currency: \`${params.currency}\`.`,
      'currency',
    )
  if (customer.currency && customer.currency !== currency)
    throw refuse(
      `You cannot combine currencies on a single customer. This customer has ${customer.currency}.`,
      'currency',
    )
  if (params.automatic_tax?.enabled) requireTaxLocation(account, customer, 'automatic_tax')
  const trialEnd = readTrialEnd(params, now)
  const redemptions = readDiscounts(account, params.discounts, customer.id, items)
  const method = params.default_payment_method
  const subscription: Stripe.Subscription = {
    ...createBlankSubscription(id, customer.id, now),
    automatic_tax: {
      disabled_reason: null,
      enabled: params.automatic_tax?.enabled ?? false,
      liability: params.automatic_tax?.enabled ? { type: 'self' } : null,
    },
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at_period_end: params.cancel_at_period_end ?? false,
    currency,
    default_payment_method:
      method === undefined ? null : requireOwnPaymentMethod(account, method, customer.id, 'default_payment_method'),
    description: params.description ?? null,
    items: listOf(items, `/v1/subscription_items?subscription=${id}`),
    managed_payments: checkout.managedPayments ? { enabled: true } : null,
    metadata: mergeMetadata({}, params.metadata),
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: idOf(customer.test_clock) || null,
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : now,
  }
  setPeriod(subscription, now, trialEnd)
  if (params.cancel_at_period_end) subscription.cancel_at = subscription.items.data[0]?.current_period_end ?? null
  account.tables.subscriptions.add(subscription)
  giveDiscounts(account, subscription, redemptions, checkout.checkoutSession)
  customer.currency = currency
  account.emit('customer.subscription.created', subscription)
  return subscription
}

/** @throws StripeRefusal for missing, wrong and too many items */
export function readNewItems(
  account: Account,
  requests: readonly ItemRequest[],
  subscription: string,
  created: number,
): Stripe.SubscriptionItem[] {
  if (requests.length === 0) throw refuse('Missing required param: items.', 'items', 'parameter_missing')
  if (requests.length > maxItems) throw refuse(`A subscription can have up to ${maxItems} items.`, 'items')
  const items = requests.map((request, place) => {
    const price = readItemPrice(account, request, `items[${place}]`)
    const item = createItem(subscription, {
      price,
      quantity: readQuantity(request.quantity, `items[${place}]`),
      created,
    })
    item.metadata = mergeMetadata({}, request.metadata ?? {})
    return item
  })
  requireSameInterval(items, 'items')
  return items
}

function readTrialEnd(params: Stripe.SubscriptionCreateParams, now: number): number | null {
  const { trial_end: end, trial_period_days: days } = params
  if (end !== undefined && days !== undefined)
    throw refuse(
      'You may only specify one of these parameters: trial_end, trial_period_days.',
      'trial_end',
      'parameters_exclusive',
    )
  if (days !== undefined && (days < 1 || days > 730)) throw refuse('Invalid trial_period_days', 'trial_period_days')
  if (typeof end === 'number' && end <= now) throw refuse('trial_end must be in the future', 'trial_end')
  if (days !== undefined) return now + days * daySeconds
  return typeof end === 'number' ? end : null
}

/** The items' period: until the trial's end, or of the billing cycle. */
export function setPeriod(subscription: Stripe.Subscription, start: number, trialEnd: number | null): void {
  for (const item of subscription.items.data) {
    item.current_period_start = start
    item.current_period_end = trialEnd ?? endOfPeriod(item.price, subscription.billing_cycle_anchor, start)
  }
}

/** @throws StripeRefusal for coupons and codes that cannot be redeemed */
export function readDiscounts(
  account: Account,
  requests: Stripe.Emptyable<readonly { coupon?: string; promotion_code?: string; discount?: string }[]> | undefined,
  customer: string | undefined,
  items: readonly Stripe.SubscriptionItem[],
): Redemption[] {
  const amount = items.reduce((total, { price, quantity = 1 }) => total + (price.unit_amount ?? 0) * quantity, 0)
  return (requests || []).map((request, place) => {
    if (request.discount !== undefined) throw notImplemented(`discounts[${place}][discount]`)
    const redeemer = { customer, currency: items[0]?.price.currency ?? 'usd', amount }
    return readRedemption(account, request, redeemer, `discounts[${place}]`)
  })
}

/** Redeems them for a subscription. */
export function giveDiscounts(
  account: Account,
  subscription: Stripe.Subscription,
  redemptions: readonly Redemption[],
  checkoutSession?: string,
): void {
  const given = {
    customer: idOf(subscription.customer),
    subscription: subscription.id,
    start: account.now(subscription.test_clock),
    ...(checkoutSession !== undefined && { checkoutSession }),
  }
  const discounts = redemptions.map((redemption) => redeem(account, redemption, given))
  subscription.discounts = [...subscription.discounts, ...discounts.map(({ id }) => id)]
}

/** The discounts that an invoice at that time gets. */
export function listDiscounts(account: Account, subscription: Stripe.Subscription, at: number): Stripe.Discount[] {
  return subscription.discounts
    .flatMap((each) => account.tables.discounts.find(idOf(each)) ?? [])
    .filter(({ end }) => end === null || end > at)
}

/** Ends discounts that were for one invoice, and those that are over. */
export function endUsedDiscounts(account: Account, subscription: Stripe.Subscription, at: number): void {
  for (const each of subscription.discounts) {
    const discount = account.tables.discounts.find(idOf(each))
    const isOnce = account.discountCoupons.get(idOf(each))?.duration === 'once'
    const isOver = discount?.end !== undefined && discount.end !== null && discount.end <= at
    if (isOnce || isOver) endDiscount(account, subscription, idOf(each))
  }
}

/**
 * Creates and pays the first invoice.
 * @returns the refusal that the request's payment behaviour asks for
 */
function billFirstPeriod(account: Account, subscription: Stripe.Subscription, behavior: string) {
  const invoice = addFirstInvoice(account, subscription)
  const customer = account.getCustomer(idOf(subscription.customer))
  const method = findDefaultPaymentMethod(account, customer, subscription)
  const mustPay = invoice.amount_due > 0 && behavior !== 'default_incomplete'
  if (mustPay && method === undefined) throw refuseWithoutMethod()
  finalizeInvoice(account, invoice)
  if (!mustPay || invoice.status !== 'open') return undefined
  const result = attemptPayment(account, invoice)
  return behavior === 'error_if_incomplete' && result !== 'paid' ? describeFailure(account, invoice, result) : undefined
}

/** The draft of the first invoice; free in a trial. */
export function addFirstInvoice(account: Account, subscription: Stripe.Subscription): Stripe.Invoice {
  const isTrial = subscription.trial_end !== null
  const start = subscription.start_date
  const invoice = addInvoice(account, {
    customer: account.getCustomer(idOf(subscription.customer)),
    subscription,
    lines: subscription.items.data.map((item) =>
      createPeriodLine(account, item, { start, end: item.current_period_end }, isTrial),
    ),
    reason: 'subscription_create',
    period: { start, end: start },
    discounts: listDiscounts(account, subscription, start),
  })
  if (!isTrial) endUsedDiscounts(account, subscription, start)
  return invoice
}

export function cancelSubscription(
  account: Account,
  id: string,
  params: Stripe.SubscriptionCancelParams,
): Stripe.Subscription {
  const subscription = account.tables.subscriptions.get(id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    throw refuse(`No such subscription: '${id}'`, 'id', 'resource_missing')
  if (params.prorate || params.invoice_now) throw notImplemented(params.prorate ? 'prorate' : 'invoice_now')
  setCancellationDetails(subscription, params.cancellation_details)
  endSubscription(account, subscription)
  return subscription
}

/** The customer's reasons. */
export function setCancellationDetails(
  subscription: Stripe.Subscription,
  details: Stripe.SubscriptionCancelParams.CancellationDetails | undefined,
): void {
  if (!details) return
  const before = subscription.cancellation_details
  subscription.cancellation_details = {
    comment: details.comment === undefined ? (before?.comment ?? null) : details.comment || null,
    feedback: details.feedback === undefined ? (before?.feedback ?? null) : details.feedback || null,
    feedback_option: null,
    reason: before?.reason ?? null,
  }
}
