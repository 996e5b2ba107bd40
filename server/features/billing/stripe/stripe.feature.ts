import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Subscriber } from '#server/platform/events/subscriber.ts'
import type { Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createClosingSubscriber } from '../closing/closing.subscriber.ts'
import { endPayments } from '../closing/end-payments.ts'
import { ownerBillingRoutes } from '../owner-billing.routes.ts'
import type { BillingParts } from './billing-parts.ts'
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
  readonly subscribers: readonly Subscriber[]
  readonly endPayments: (organizationId: string) => Promise<void>
}

export function createStripeFeature({ config, database, locks, log }: Platform): StripeFeature {
  const { stripe: settings } = config
  let opened: Promise<Stripe> | undefined
  const findStripe = settings && (() => (opened ??= openStripe(settings)))
  const read: BillingParts['read'] = async (...customer) => {
    if (!findStripe) throw new Error('billing is off')
    return readStripe(await findStripe(), ...customer)
  }
  const parts: BillingParts = { config, database, locks, log, findStripe, read }
  return {
    access: createStripeAccess({ findStripe, database, locks }),
    routes: async (app) => {
      await stripeHooksRoutes(app, { database, findStripe, settings })
      ownerBillingRoutes(app, parts)
    },
    jobs: () => (findStripe ? createStripeJobs({ ...parts, findStripe }) : []),
    subscribers: findStripe ? [createClosingSubscriber(database)] : [],
    endPayments: (organizationId) => endPayments(parts, organizationId),
  }
}
