import { askInTurn, type BillingParts } from '../stripe/billing-parts.ts'
import { findCustomerId } from '../stripe/customers.queries.ts'
import { isMissing } from '../stripe/stripe-client.ts'
import { endAtOnce, endCheckouts, isUnended, waiveInvoices } from './end-subscription.ts'

/**
 * Ends everything that Stripe would still charge to an organisation, at once. The last chance: its rows, and with them the
 * name of its customer, are about to be removed. Does nothing where nothing was ever paid. Safe to repeat.
 *
 * @throws ProductError `payments_unavailable`: nothing may be removed yet.
 */
export async function endPayments(parts: BillingParts, organizationId: string): Promise<void> {
  const { database, findStripe, log } = parts
  const customer = await database.asSystem('the payments of an organisation end before it is removed', (tx) =>
    findCustomerId(tx, organizationId),
  )
  if (customer === undefined) return
  if (!findStripe) {
    log.warn({ organizationId, customer }, 'billing is off: end the subscription of this customer at Stripe')
    return
  }
  await askInTurn(parts, organizationId, async (stripe) => {
    try {
      await endCheckouts(stripe, customer)
      const { data } = await stripe.subscriptions.list({ customer, limit: 100 })
      for (const { id } of data.filter(isUnended)) await endAtOnce(stripe, id)
      await waiveInvoices(stripe, customer)
    } catch (error) {
      // Stripe has no such customer: nothing can be charged to it.
      if (!isMissing(error)) throw error
    }
  })
}
