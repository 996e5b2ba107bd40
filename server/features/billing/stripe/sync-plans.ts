import type Stripe from 'stripe'
import type { Plan } from '#contract/plans.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { NamedLocks } from '#server/platform/locks/named-locks.ts'
import { listPlans } from '../plans/plans.queries.ts'
import { type PlanAtStripe, savePlanAtStripe } from './plans-at-stripe.queries.ts'
import { isMissing } from './stripe-client.ts'

const reason = 'plans are offered at Stripe'

export interface SyncParts {
  readonly stripe: Stripe
  readonly database: Database
  readonly locks: NamedLocks
}

/** Makes products and prices at Stripe equal to the plans. Retired ones too: organisations may still have them. */
export async function syncPlans(parts: SyncParts): Promise<void> {
  for (const plan of await parts.database.asSystem(reason, listPlans)) await syncPlan(parts, plan)
}

/** Makes the product and prices of a plan equal to it, and notes them. One process at a time: nothing is made twice. */
export async function syncPlan({ stripe, database, locks }: SyncParts, plan: Plan): Promise<PlanAtStripe> {
  const release = await locks.acquire(`stripe plan ${plan.id}`, () => {})
  try {
    const synced = await offerAtStripe(stripe, plan)
    await database.asSystem(reason, (tx) => savePlanAtStripe(tx, plan.id, synced))
    return synced
  } finally {
    await release()
  }
}

/**
 * Running it again makes nothing twice: the product's id is made of the plan's, and prices are found by their lookup keys. A
 * changed price is a new one; subscriptions keep theirs.
 */
async function offerAtStripe(stripe: Stripe, plan: Plan): Promise<PlanAtStripe> {
  const product = await findOrCreateProduct(stripe, plan)
  const monthly = { interval: 'month', cents: plan.monthlyCents } as const
  const yearly = { interval: 'year', cents: plan.yearlyCents } as const
  const keyOf = ({ interval }: { interval: string }) => `earshot_${plan.key}_${interval}`
  const { data: prices } = await stripe.prices.list({ lookup_keys: [keyOf(monthly), keyOf(yearly)], limit: 100 })
  const ensure = async (wanted: typeof monthly | typeof yearly) => {
    const found = prices.find(
      (price) =>
        price.lookup_key === keyOf(wanted) &&
        price.unit_amount === wanted.cents &&
        price.product === product &&
        price.active,
    )
    if (found) return found.id
    const created = await stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: wanted.cents,
      recurring: { interval: wanted.interval },
      lookup_key: keyOf(wanted),
      transfer_lookup_key: true,
    })
    return created.id
  }
  return {
    stripeProductId: product,
    stripeMonthlyPriceId: await ensure(monthly),
    stripeYearlyPriceId: await ensure(yearly),
  }
}

/** @returns its id. */
async function findOrCreateProduct(stripe: Stripe, { id, name, forWhom }: Plan): Promise<string> {
  const productId = `earshot_${id}`
  const description = forWhom.trim()
  try {
    const product = await stripe.products.retrieve(productId)
    if (product.name !== name || (product.description ?? '') !== description) {
      await stripe.products.update(productId, { name, description })
    }
  } catch (error) {
    if (!isMissing(error)) throw error
    await stripe.products.create({ id: productId, name, ...(description !== '' && { description }) })
  }
  return productId
}
