import type { FastifyInstance } from 'fastify'
import type { Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readStripe } from './read-stripe.ts'
import { createStripeJobs } from './stripe.jobs.ts'
import { openStripe } from './stripe-client.ts'
import { stripeHooksRoutes } from './stripe-hooks.routes.ts'

/** Payments by Stripe: a part of the billing feature. */
interface StripeFeature {
  readonly routes: (app: FastifyInstance) => Promise<void>
  readonly jobs: () => Job[]
}

export function createStripeFeature({ config, database, locks, log }: Platform): StripeFeature {
  const stripe = config.stripe && openStripe(config.stripe)
  return {
    routes: (app) => stripeHooksRoutes(app, { database, stripe, settings: config.stripe }),
    jobs: () => (stripe ? createStripeJobs({ stripe, read: readStripe.bind(null, stripe), database, locks, log }) : []),
  }
}
