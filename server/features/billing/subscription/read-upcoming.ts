import type Stripe from 'stripe'
import type { UpcomingPayment } from '#contract/billing.ts'
import { askStripe } from '../stripe/ask-stripe.ts'
import type { BillingParts } from '../stripe/billing-parts.ts'
import { findCustomerId } from '../stripe/customers.queries.ts'
import { isOpen } from '../stripe/subscription-states.ts'

const nothing: UpcomingPayment = {
  nextInvoice: null,
  paymentMethod: null,
  customer: { name: null, email: null, taxIds: [] },
}

/** The next invoice and the payment method, as Stripe knows them now. @throws ProductError `payments_unavailable`. */
export async function readUpcoming(
  { database, findStripe, log }: BillingParts,
  organizationId: string,
): Promise<UpcomingPayment> {
  const id = await database.asSystem('an owner reads the next invoice', (tx) => findCustomerId(tx, organizationId))
  if (id === undefined || !findStripe) return nothing
  return askStripe(log, async () => {
    const stripe = await findStripe()
    const [customer, { data: subscriptions }] = await Promise.all([
      stripe.customers.retrieve(id, { expand: ['invoice_settings.default_payment_method'] }),
      stripe.subscriptions.list({ customer: id, expand: ['data.default_payment_method'], limit: 10 }),
    ])
    if (customer.deleted) return nothing
    const subscription = subscriptions.find(isOpen)
    const [nextInvoice, { data: taxIds }] = await Promise.all([
      subscription ? readNextInvoice(stripe, subscription) : null,
      stripe.customers.listTaxIds(id, { limit: 10 }),
    ])
    const method = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method
    return {
      nextInvoice,
      paymentMethod: method !== null && typeof method === 'object' ? describeMethod(method) : null,
      customer: { name: customer.name ?? null, email: customer.email, taxIds: taxIds.map(({ value }) => value) },
    }
  })
}

async function readNextInvoice(stripe: Stripe, { id }: Stripe.Subscription): Promise<UpcomingPayment['nextInvoice']> {
  try {
    const {
      amount_due: cents,
      currency,
      next_payment_attempt: at,
      period_end: end,
    } = await stripe.invoices.createPreview({ subscription: id })
    return { cents, currency, at: new Date((at ?? end) * 1000).toISOString() }
  } catch (error) {
    // Cancelled: none follows.
    if (error instanceof Error && 'code' in error && error.code === 'invoice_upcoming_none') return null
    throw error
  }
}

function describeMethod({ type, card }: Stripe.PaymentMethod): UpcomingPayment['paymentMethod'] {
  return {
    type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    expiresMonth: card?.exp_month ?? null,
    expiresYear: card?.exp_year ?? null,
  }
}
