/* Previews of invoices (https://docs.stripe.com/api/invoices/create_preview). */
import type Stripe from 'stripe'
import { type Account, idOf, snapshotOf } from './account.ts'
import { createBlankSubscription } from './blank-subscription.ts'
import { buildInvoice } from './build-invoice.ts'
import { describeUpdateInvoice, planBilling } from './plan-billing.ts'
import { refuse, StripeRefusal } from './refusal.ts'
import { createPeriodLine, endOfPeriod } from './subscription-items.ts'
import { listDiscounts, readDiscounts, readNewItems, setPeriod } from './subscriptions.ts'
import { requireTaxLocation } from './tax.ts'

/** The invoice of a change, of a new subscription, or of the next period. @throws StripeRefusal */
export function previewInvoice(account: Account, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
  if (params.subscription === undefined) return previewNew(account, params)
  const subscription = snapshotOf(account.tables.subscriptions.get(params.subscription, 'subscription'))
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') throw refuseNone()
  const details = params.subscription_details ?? {}
  if (params.customer !== undefined && params.customer !== idOf(subscription.customer))
    throw refuse(`The subscription does not belong to customer ${params.customer}.`, 'customer')
  if (details.cancel_at_period_end === false) subscription.cancel_at_period_end = false
  if (details.cancel_at_period_end === false || details.cancel_at === '') subscription.cancel_at = null
  const plan = planBilling(account, subscription, details)
  const pending = account.pendingLines.get(subscription.id) ?? []
  if (plan?.bills) {
    const lines = [...pending, ...plan.lines]
    return showPreview(buildInvoice(account, describeUpdateInvoice(account, subscription, plan, lines)))
  }
  if (plan) subscription.items.data = plan.items
  return previewNext(account, subscription, [...pending, ...(plan?.lines ?? [])])
}

function previewNext(
  account: Account,
  subscription: Stripe.Subscription,
  pending: readonly Stripe.InvoiceLineItem[],
): Stripe.Invoice {
  const [first] = subscription.items.data
  if (!first || (subscription.cancel_at_period_end && pending.length === 0)) throw refuseNone()
  const start = first.current_period_end
  const ends = subscription.cancel_at !== null && subscription.cancel_at <= start
  const next = subscription.items.data.map((item) =>
    createPeriodLine(account, item, { start, end: endOfPeriod(item.price, subscription.billing_cycle_anchor, start) }),
  )
  const invoice = buildInvoice(account, {
    customer: account.getCustomer(idOf(subscription.customer)),
    subscription,
    lines: ends ? pending : [...pending, ...next],
    reason: 'upcoming',
    period: { start: first.current_period_start, end: start },
    discounts: listDiscounts(account, subscription, start),
  })
  invoice.next_payment_attempt = start + 3600
  return showPreview(invoice)
}

function previewNew(account: Account, params: Stripe.InvoiceCreatePreviewParams): Stripe.Invoice {
  const details = params.subscription_details
  if (params.customer === undefined)
    throw refuse('You must provide one of customer, subscription or schedule.', 'customer', 'parameter_missing')
  const customer = account.getCustomer(params.customer)
  if (!details?.items) throw refuseNone()
  const now = account.now(customer.test_clock)
  const subscription = createBlankSubscription(account.newId('sub'), customer.id, now)
  subscription.items.data = readNewItems(account, details.items, subscription.id, now)
  subscription.currency = subscription.items.data[0]?.price.currency ?? 'usd'
  subscription.automatic_tax.enabled = params.automatic_tax?.enabled ?? false
  if (subscription.automatic_tax.enabled) requireTaxLocation(account, customer, 'automatic_tax')
  setPeriod(subscription, now, null)
  const redemptions = readDiscounts(account, params.discounts, customer.id, subscription.items.data)
  const discounts = redemptions.map(({ coupon, promotionCode }) => ({
    ...blankDiscount,
    id: account.newId('di'),
    customer: customer.id,
    promotion_code: promotionCode?.id ?? null,
    source: { coupon, type: 'coupon' as const },
    start: now,
    subscription: subscription.id,
  }))
  const lines = subscription.items.data.map((item) =>
    createPeriodLine(account, item, { start: now, end: item.current_period_end }),
  )
  const period = { start: now, end: now }
  return showPreview(buildInvoice(account, { customer, subscription, lines, reason: 'upcoming', period, discounts }))
}

const blankDiscount = {
  object: 'discount' as const,
  checkout_session: null,
  customer_account: null,
  end: null,
  invoice: null,
  invoice_item: null,
  subscription_item: null,
}

function showPreview(invoice: Stripe.Invoice): Stripe.Invoice {
  return { ...invoice, id: `upcoming_${invoice.id}` }
}

function refuseNone(): StripeRefusal {
  return new StripeRefusal(404, 'No upcoming invoices for customer', { code: 'invoice_upcoming_none' })
}
