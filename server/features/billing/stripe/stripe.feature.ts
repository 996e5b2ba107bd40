import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { ConvergeParts } from './converge.ts'
import { readStripe } from './read-stripe.ts'
import { createStripeJobs } from './stripe.jobs.ts'
import { createStripeAccess, type StripeAccess } from './stripe-access.ts'
import { openStripe } from './stripe-client.ts'
import { stripeHooksRoutes } from './stripe-hooks.routes.ts'

/** Payments by Stripe: a part of the billing feature. */
interface StripeFeature {
  readonly access: StripeAccess
  readonly routes: (app: FastifyInstance) => Promise<void>
  readonly jobs: () => Job[]
}

export function createStripeFeature({ config, database, locks, log }: Platform): StripeFeature {
  const { stripe: settings } = config
  let opened: Promise<Stripe> | undefined
  const findStripe = settings && (() => (opened ??= openStripe(settings)))
  return {
    access: createStripeAccess({ findStripe, database, locks }),
    routes: (app) => stripeHooksRoutes(app, { database, findStripe, settings }),
    jobs: () => {
      if (!findStripe) return []
      const read: ConvergeParts['read'] = async (...customer) => readStripe(await findStripe(), ...customer)
      return createStripeJobs({ findStripe, read, database, locks, log })
    },
  }
}
