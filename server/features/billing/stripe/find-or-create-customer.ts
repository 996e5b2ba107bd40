import type Stripe from 'stripe'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findCustomerId, findPayer, saveCustomerId } from './customers.queries.ts'
import { isMissing } from './stripe-client.ts'

const reason = 'an organisation gets its one customer at Stripe'

/**
 * The organisation's customer at Stripe. Call with the lock `billing <organizationId>`: there is one, however often and by how many it is asked for.
 * A customer that was deleted at Stripe is replaced.
 *
 * @throws ProductError `organization_not_found`; Stripe's errors.
 */
export async function findOrCreateCustomer(
  { stripe, database }: { stripe: Stripe; database: Database },
  organizationId: string,
  userId: string,
): Promise<string> {
  const known = await database.asSystem(reason, (tx) => findCustomerId(tx, organizationId))
  if (known !== undefined && (await exists(stripe, known))) return known
  const payer = await database.asSystem(reason, (tx) => findPayer(tx, organizationId, userId))
  if (!payer) throw new ProductError('organization_not_found')
  const { id } = await stripe.customers.create(
    { name: payer.organizationName, email: payer.email, metadata: { organization_id: organizationId } },
    // An answer that was lost is given again, for a day.
    { idempotencyKey: `customer ${organizationId} ${userId} after ${known ?? 'none'}` },
  )
  await database.asSystem(reason, (tx) => saveCustomerId(tx, organizationId, id))
  return id
}

async function exists(stripe: Stripe, id: string): Promise<boolean> {
  try {
    const { deleted } = await stripe.customers.retrieve(id)
    return deleted !== true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
