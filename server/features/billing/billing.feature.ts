import { getEntitlements as getEntitlementsRoute } from '#contract/plans.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { getEntitlements } from './billing.service.ts'
import { couponsRoutes } from './coupons/coupons.routes.ts'
import { createCoupons } from './coupons/coupons.service.ts'
import { createEntitlementJobs } from './entitlements/entitlements.jobs.ts'
import { createGrantedPlanJobs } from './granted-plans/granted-plans.jobs.ts'
import { createUnlockJobs } from './locked/unlock.jobs.ts'
import { plansRoutes } from './plans/plans.routes.ts'
import { createPlans } from './plans/plans.service.ts'
import { revenueRoutes } from './revenue/revenue.routes.ts'
import { createRevenue } from './revenue/revenue.service.ts'
import { createStripeFeature } from './stripe/stripe.feature.ts'
import { superadminSubscriptionsRoutes } from './superadmin-subscriptions/superadmin-subscriptions.routes.ts'
import { createSuperadminSubscriptions } from './superadmin-subscriptions/superadmin-subscriptions.service.ts'

export interface BillingFeature extends Feature {
  /**
   * Ends everything that would still be charged to an organisation, at once.
   *
   * @throws ProductError `payments_unavailable`.
   */
  readonly endPayments: (organizationId: string) => Promise<void>
}

/** Plans, what organisations may use by theirs, feedback that is locked, and payments by Stripe. */
export function createBillingFeature(platform: Platform): BillingFeature {
  const { config, database } = platform
  const stripe = createStripeFeature(platform)
  const plans = createPlans(database, config)
  return {
    name: 'billing',
    routes: async (app) => {
      await stripe.routes(app)
      plansRoutes(app, plans)
      couponsRoutes(app, createCoupons(database, stripe.access))
      revenueRoutes(app, createRevenue(database, platform.reports))
      superadminSubscriptionsRoutes(app, createSuperadminSubscriptions(database, stripe.access))
      addRoute(app, getEntitlementsRoute, async ({ params, caller }) =>
        answer(200, await database.withTenant(caller.actor, (tx) => getEntitlements(tx, params.organizationId))),
      )
    },
    siteContent: { listPlans: plans.listOffers },
    subscribers: stripe.subscribers,
    endPayments: stripe.endPayments,
    jobs: () => [
      ...createEntitlementJobs(database),
      ...createGrantedPlanJobs(database),
      ...createUnlockJobs(database),
      ...stripe.jobs(),
    ],
  }
}
