import type Stripe from 'stripe'

/** Whether it exists and may still be charged, a first payment that is being confirmed included. */
export function isUnended({ status }: Stripe.Subscription): boolean {
  return status !== 'canceled' && status !== 'incomplete_expired'
}

/** Ends a subscription now, without a last invoice. */
export async function endAtOnce(stripe: Stripe, subscription: string): Promise<void> {
  await stripe.subscriptions.cancel(subscription, { prorate: false, invoice_now: false })
}

/**
 * Waives what the customer owes. All of it, not by subscription: a try that was cut off after a cancellation is finished by
 * the next.
 */
export async function waiveInvoices(stripe: Stripe, customer: string): Promise<void> {
  const { data: owed } = await stripe.invoices.list({ customer, status: 'open', limit: 100 })
  for (const invoice of owed) await stripe.invoices.voidInvoice(invoice.id)
}

/** No one pays for an organisation that is being deleted. */
export async function endCheckouts(stripe: Stripe, customer: string): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const { id } of data) await stripe.checkout.sessions.expire(id)
}
