import { sql } from 'kysely'
import type { Plan } from '#contract/plans.ts'
import type { SystemTx } from '#server/platform/database/database.ts'

/** Product and prices of a plan at Stripe. */
export type PlanAtStripe = Pick<Plan, 'stripeProductId' | 'stripeMonthlyPriceId' | 'stripeYearlyPriceId'>

/** Writes nothing where nothing has changed. */
export async function savePlanAtStripe(tx: SystemTx, planId: string, plan: PlanAtStripe): Promise<void> {
  await sql`
    update plans set stripe_product_id = ${plan.stripeProductId},
      stripe_monthly_price_id = ${plan.stripeMonthlyPriceId}, stripe_yearly_price_id = ${plan.stripeYearlyPriceId}
    where id = ${planId}
      and (stripe_product_id, stripe_monthly_price_id, stripe_yearly_price_id)
        is distinct from (${plan.stripeProductId}, ${plan.stripeMonthlyPriceId}, ${plan.stripeYearlyPriceId})
  `.execute(tx)
}
