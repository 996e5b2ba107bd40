import type Stripe from 'stripe'
import type { BillingInterval } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import type { Database } from '#server/platform/database/database.ts'
import { savePlanAtStripe } from './plans-at-stripe.queries.ts'
import { syncPlan } from './sync-plans.ts'

/** Stripe's price of a plan. A plan that was never synced is synced first. @throws Stripe's errors. */
export async function findPrice(
  { stripe, database }: { stripe: Stripe; database: Database },
  plan: Plan,
  interval: BillingInterval,
): Promise<string> {
  const known = interval === 'month' ? plan.stripeMonthlyPriceId : plan.stripeYearlyPriceId
  if (known !== null && plan.stripeProductId !== null) return known
  const synced = await syncPlan(stripe, plan)
  await database.asSystem('a plan is offered at Stripe', (tx) => savePlanAtStripe(tx, plan.id, synced))
  const price = interval === 'month' ? synced.stripeMonthlyPriceId : synced.stripeYearlyPriceId
  if (price === null) throw new Error(`the plan ${plan.key} has no price`)
  return price
}
