import type Stripe from 'stripe'
import { actAtStripe, type BillingParts } from '../stripe/billing-parts.ts'
import { findCustomerId } from '../stripe/customers.queries.ts'
import { isOpen } from '../stripe/subscription-states.ts'
import { findDeleteAfter } from './closing.queries.ts'

const reason = 'the payments of an organisation follow its closing'
/** Of a subscription's metadata: we end it because the organisation was deleted. */
const closedKey = 'organization_closed'

/**
 * Ends the subscription of a closed organisation: with its paid period, or with the deletion if that comes first. Stripe does it
 * by itself then, so that nothing is charged even if this instance is gone. Open invoices are waived. A restored organisation
 * keeps its plan, unless an owner had cancelled it.
 *
 * @throws as {@link actAtStripe} does: the job is repeated.
 */
export async function followClosing(parts: BillingParts, organizationId: string): Promise<void> {
  const [customer, deleteAfter] = await parts.database.asSystem(reason, async (tx) => [
    await findCustomerId(tx, organizationId),
    await findDeleteAfter(tx, organizationId),
  ])
  if (customer === undefined || deleteAfter === undefined) return
  await actAtStripe(parts, organizationId, async (stripe) => {
    const { data } = await stripe.subscriptions.list({ customer, limit: 100 })
    for (const subscription of data.filter(isOpen)) {
      await (deleteAfter ? close(stripe, subscription, deleteAfter) : reopen(stripe, subscription))
    }
    if (deleteAfter) await endCheckouts(stripe, customer)
  })
}

async function close(stripe: Stripe, subscription: Stripe.Subscription, deleteAfter: Date): Promise<void> {
  const { id, status, cancel_at: cancelAt, items } = subscription
  if (status !== 'active' && status !== 'trialing') {
    await stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false })
    const { data: owed } = await stripe.invoices.list({ subscription: id, status: 'open', limit: 100 })
    for (const invoice of owed) await stripe.invoices.voidInvoice(invoice.id)
    return
  }
  const periodEnd = items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY
  const end = Math.min(periodEnd, Math.floor(deleteAfter.getTime() / 1000))
  if (cancelAt !== null && cancelAt <= end) return
  await stripe.subscriptions.update(id, {
    cancel_at: end,
    proration_behavior: 'none',
    metadata: { [closedKey]: 'true' },
  })
}

async function reopen(stripe: Stripe, { id, metadata }: Stripe.Subscription): Promise<void> {
  if (metadata[closedKey] !== 'true') return
  await stripe.subscriptions.update(id, { cancel_at: '', metadata: { [closedKey]: '' } })
}

/** No one pays for an organisation that is being deleted. */
async function endCheckouts(stripe: Stripe, customer: string): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const { id } of data) await stripe.checkout.sessions.expire(id)
}
