import type Stripe from 'stripe'
import { actAtStripe, type BillingParts } from '../stripe/billing-parts.ts'
import { findCustomerId } from '../stripe/customers.queries.ts'
import { findDeleteAfter } from './closing.queries.ts'
import { endAtOnce, endCheckouts, isUnended, waiveInvoices } from './end-subscription.ts'

const reason = 'the payments of an organisation follow its closing'
/** Of a subscription's metadata: we end it because the organisation was deleted. */
const closedKey = 'organization_closed'

/**
 * Ends the subscription of a closed organisation: with its paid period, or with the deletion if that comes first. Stripe does it
 * by itself then, so that nothing is charged even if this instance is gone. A subscription whose payment is owed or being confirmed ends at
 * once, and its invoices are waived. A restored organisation keeps its plan, unless an owner had cancelled it.
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
    // First: a checkout that is paid meanwhile would make a subscription that is not in the list.
    if (deleteAfter) await endCheckouts(stripe, customer)
    const { data } = await stripe.subscriptions.list({ customer, limit: 100 })
    for (const subscription of data.filter(isUnended)) {
      await (deleteAfter ? close(stripe, subscription, deleteAfter) : reopen(stripe, subscription))
    }
    if (deleteAfter) await waiveInvoices(stripe, customer)
  })
}

async function close(stripe: Stripe, subscription: Stripe.Subscription, deleteAfter: Date): Promise<void> {
  const { id, status, cancel_at: cancelAt, items } = subscription
  const isPaid = status === 'active' || status === 'trialing'
  if (!isPaid || deleteAfter.getTime() <= Date.now()) return endAtOnce(stripe, id)
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
