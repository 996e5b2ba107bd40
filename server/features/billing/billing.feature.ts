import { getEntitlements as getEntitlementsRoute } from '#contract/plans.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { getEntitlements } from './billing.service.ts'
import { createEntitlementJobs } from './entitlements/entitlements.jobs.ts'
import { createUnlockJobs } from './locked/unlock.jobs.ts'
import { plansRoutes } from './plans/plans.routes.ts'
import { createPlans } from './plans/plans.service.ts'
import { createStripeFeature } from './stripe/stripe.feature.ts'

/** Plans, what organisations may use by theirs, feedback that is locked, and payments by Stripe. */
export function createBillingFeature(platform: Platform): Feature {
  const { config, database } = platform
  const stripe = createStripeFeature(platform)
  return {
    name: 'billing',
    routes: async (app) => {
      await stripe.routes(app)
      plansRoutes(app, createPlans(database, config))
      addRoute(app, getEntitlementsRoute, async ({ params, caller }) =>
        answer(200, await database.withTenant(caller.actor, (tx) => getEntitlements(tx, params.organizationId))),
      )
    },
    subscribers: stripe.subscribers,
    jobs: () => [...createEntitlementJobs(database), ...createUnlockJobs(database), ...stripe.jobs()],
  }
}
