import type { BillingInterval } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import { type SyncParts, syncPlan } from './sync-plans.ts'

/** Stripe's price of a plan. A plan that was never synced is synced first. @throws Stripe's errors. */
export async function findPrice(parts: SyncParts, plan: Plan, interval: BillingInterval): Promise<string> {
  const known = interval === 'month' ? plan.stripeMonthlyPriceId : plan.stripeYearlyPriceId
  if (known !== null && plan.stripeProductId !== null) return known
  const synced = await syncPlan(parts, plan)
  const price = interval === 'month' ? synced.stripeMonthlyPriceId : synced.stripeYearlyPriceId
  if (price === null) throw new Error(`the plan ${plan.key} has no price`)
  return price
}
