import type Stripe from 'stripe'
import type { Interval, Mirror, MirroredPayment, MirroredRefund, MirroredSubscription } from './mirror.ts'

/** Products and prices of our plans at Stripe. */
export interface Catalogue {
  /** Ids of plans by product. */
  readonly plans: ReadonlyMap<string, string>
  /** By price. Former prices are missing. */
  readonly intervals: ReadonlyMap<string, Interval>
}

/** At most, so that a customer with an endless history can't fill the memory: eighty years of monthly invoices. */
const maxObjects = 1_000
const page = { limit: 100 } as const
const all = { limit: maxObjects } as const

/**
 * Reads what Stripe knows of a customer now. Several calls: a change between them sends an event, which causes another
 * read.
 *
 * @returns undefined for a deleted customer, whose subscriptions ended with it.
 * @throws Stripe's errors, such as for a customer that is not of this account.
 */
export async function readStripe(
  stripe: Stripe,
  customerId: string,
  catalogue: Catalogue,
): Promise<Mirror | undefined> {
  const customer = await stripe.customers.retrieve(customerId)
  if (customer.deleted) return undefined
  const [subscriptions, invoices, charges, intents] = await Promise.all([
    stripe.subscriptions
      .list({ customer: customerId, status: 'all', expand: ['data.discounts'], ...page })
      .autoPagingToArray(all),
    stripe.invoices
      .list({ customer: customerId, expand: ['data.payments', 'data.discounts'], ...page })
      .autoPagingToArray(all),
    stripe.charges.list({ customer: customerId, expand: ['data.refunds'], ...page }).autoPagingToArray(all),
    stripe.paymentIntents.list({ customer: customerId, ...page }).autoPagingToArray(all),
  ])
  const attempts: Attempts = {
    chargesOf: Map.groupBy(charges, ({ payment_intent: intent }) => idOf(intent)),
    intents: new Map(intents.map((intent) => [intent.id, intent])),
  }
  const issued = invoices.filter(({ status }) => status !== null && status !== 'draft')
  const invoiceOf = new Map(issued.flatMap((invoice) => listIntents(invoice).map((intent) => [intent, invoice.id])))
  return {
    subscriptions: subscriptions.map((each) => toSubscription(each, catalogue)).toSorted(byId),
    payments: issued.map((each) => toPayment(each, catalogue, attempts)).toSorted(byId),
    refunds: charges
      .flatMap((charge) =>
        (charge.refunds?.data ?? []).map((refund) =>
          toRefund(refund, invoiceOf.get(idOf(charge.payment_intent)) ?? null),
        ),
      )
      .toSorted(byId),
  }
}

/** Attempts to collect, by payment intent. */
interface Attempts {
  readonly chargesOf: ReadonlyMap<string, readonly Stripe.Charge[]>
  readonly intents: ReadonlyMap<string, Stripe.PaymentIntent>
}

function toSubscription(subscription: Stripe.Subscription, { plans }: Catalogue): MirroredSubscription {
  // Checkout and our changes make subscriptions of one item.
  const item = subscription.items.data.find(({ price }) => plans.has(idOf(price.product))) ?? subscription.items.data[0]
  const details = subscription.cancellation_details
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item?.current_period_end : null)
  return {
    id: subscription.id,
    status: subscription.status,
    planId: plans.get(idOf(item?.price.product)) ?? null,
    priceId: item?.price.id ?? '',
    interval: toInterval(item?.price.recurring?.interval),
    cents: item?.price.unit_amount ?? 0,
    currency: subscription.currency,
    coupon: findCoupon(subscription.discounts),
    periodStart: toDate(item?.current_period_start),
    periodEnd: toDate(item?.current_period_end),
    trialEnd: toDate(subscription.trial_end),
    cancelAt: toDate(cancelAt),
    cancelReason: details?.comment || details?.feedback || details?.reason || null,
    endedAt: toDate(subscription.ended_at),
    createdAt: toTime(subscription.created),
  }
}

function toPayment(invoice: Stripe.Invoice, { plans, intervals }: Catalogue, attempts: Attempts): MirroredPayment {
  // A change of plan has a line that gives the rest of the former plan back, before the one of the new plan.
  const line = invoice.lines.data.findLast(({ pricing }) => plans.has(idOf(pricing?.price_details?.product)))
  return {
    id: invoice.id,
    number: invoice.number,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription) || null,
    status: invoice.status ?? 'draft',
    reason: invoice.billing_reason,
    planId: plans.get(idOf(line?.pricing?.price_details?.product)) ?? null,
    interval: line ? (intervals.get(idOf(line.pricing?.price_details?.price)) ?? guessInterval(line)) : null,
    periodStart: toDate(line?.period.start),
    periodEnd: toDate(line?.period.end),
    recurringCents: line ? findRecurringCents(line) : null,
    coupon: findCoupon(invoice.discounts),
    totalCents: invoice.total,
    taxCents: (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    dueCents: invoice.amount_due,
    paidCents: invoice.amount_paid,
    currency: invoice.currency,
    attempts: invoice.attempt_count,
    error: findError(invoice, attempts),
    nextAttemptAt: toDate(invoice.next_payment_attempt),
    pageUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
    createdAt: toTime(invoice.created),
    paidAt: toDate(invoice.status_transitions.paid_at),
  }
}

/** Why an invoice is not paid, by its latest attempt. Null: it is, no attempt was made, or the bank takes its time. */
function findError(invoice: Stripe.Invoice, { chargesOf, intents }: Attempts): string | null {
  if (invoice.status !== 'open' || !invoice.attempted) return null
  const ids = listIntents(invoice)
  const own = ids.flatMap((id) => intents.get(id) ?? [])
  // No charge is made while the bank waits for the customer; the latest is of an earlier attempt then.
  if (own.some(({ status }) => status === 'requires_action')) return 'authentication_required'
  if (own.some(({ status }) => status === 'processing')) return null
  const latest = ids.flatMap((id) => chargesOf.get(id) ?? []).toSorted((a, b) => b.created - a.created)[0]
  const failure = latest?.status === 'failed' ? latest.failure_message : null
  const refusal = own.find(({ last_payment_error: error }) => error !== null)?.last_payment_error?.message
  return failure ?? refusal ?? 'No payment method could be charged.'
}

/** By the length of the period that a line pays for, which a former price leaves as the only sign. */
function guessInterval({ period }: Stripe.InvoiceLineItem): Interval {
  return period.end - period.start > 45 * 86_400 ? 'year' : 'month'
}

function toRefund(refund: Stripe.Refund, paymentId: string | null): MirroredRefund {
  return {
    id: refund.id,
    paymentId,
    status: refund.status ?? 'pending',
    reason: refund.reason,
    cents: refund.amount,
    currency: refund.currency,
    createdAt: toTime(refund.created),
  }
}

/**
 * What a plan costs in each interval, after the discounts of the line. A line for the rest of a period has a part of the
 * price and of the discounts.
 */
function findRecurringCents({
  amount,
  quantity,
  pricing,
  discount_amounts: discounts,
}: Stripe.InvoiceLineItem): number {
  // Trials and credits.
  if (amount <= 0) return 0
  const net = (discounts ?? []).reduce((rest, discount) => rest - discount.amount, amount)
  return Math.round((Number(pricing?.unit_amount_decimal ?? 0) * (quantity ?? 1) * net) / amount)
}

function listIntents({ payments }: Stripe.Invoice): string[] {
  return (payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent)).filter((id) => id !== '')
}

function findCoupon(discounts: readonly (string | Stripe.Discount | Stripe.DeletedDiscount)[]): string | null {
  const coupons = discounts.map((each) => (typeof each === 'string' ? '' : idOf(each.source.coupon)))
  return coupons.find((id) => id !== '') ?? null
}

function idOf(value: string | { readonly id: string } | null | undefined): string {
  return typeof value === 'string' ? value : (value?.id ?? '')
}

/** @param seconds since 1970 */
function toTime(seconds: number): Date {
  return new Date(seconds * 1000)
}

function toDate(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : toTime(seconds)
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1
}

/** Stripe's types leave room for further ones. */
function toInterval(interval: string | undefined): Interval {
  return interval === 'year' || interval === 'week' || interval === 'day' ? interval : 'month'
}
