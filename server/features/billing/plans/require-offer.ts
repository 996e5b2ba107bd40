import type { Plan } from '#contract/plans.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findPlan } from './plans.queries.ts'

/** A plan that can be chosen. @throws ProductError `plan_not_found`, also for a retired one. */
export async function requireOffer(database: Database, planId: string): Promise<Plan> {
  const plan = await database.asSystem('plans belong to no organisation', (tx) => findPlan(tx, planId))
  if (!plan || plan.retiredAt !== null) throw new ProductError('plan_not_found')
  return plan
}
