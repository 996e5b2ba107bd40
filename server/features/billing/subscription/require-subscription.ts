import type Stripe from 'stripe'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findCustomerId } from '../stripe/customers.queries.ts'
import { readCatalogue } from '../stripe/mirror.queries.ts'
import { isOpen, toStatus } from '../stripe/subscription-states.ts'

const reason = 'an owner changes the subscription'

/** The subscription that an owner changes, as Stripe has it now. */
export interface OpenSubscription {
  readonly subscription: Stripe.Subscription
  /** Checkout makes subscriptions of one item. */
  readonly item: Stripe.SubscriptionItem
  /** Undefined: the product is none of our plans. */
  readonly planId: string | undefined
}

/** @throws ProductError `not_subscribed` where nothing runs; Stripe's errors. */
export async function requireSubscription(
  stripe: Stripe,
  database: Database,
  organizationId: string,
): Promise<OpenSubscription> {
  const [customer, { plans }] = await database.asSystem(reason, async (tx) => [
    await findCustomerId(tx, organizationId),
    await readCatalogue(tx),
  ])
  if (customer === undefined) throw new ProductError('not_subscribed')
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
  const [subscription] = data
    .filter(isOpen)
    .toSorted((a, b) => Number(toStatus(b.status) === 'active') - Number(toStatus(a.status) === 'active'))
  const item = subscription?.items.data[0]
  if (!subscription || !item) throw new ProductError('not_subscribed')
  const product = typeof item.price.product === 'string' ? item.price.product : item.price.product.id
  return { subscription, item, planId: plans.get(product) }
}
