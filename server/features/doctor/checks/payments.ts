import { askAddress } from '../ask-address.ts'
import { type Check, failed, isGenerated, notApplicable, ok, warning } from '../check.ts'
import { readStripeEvents } from '../operation.queries.ts'
import { isLocal } from './address.ts'

const noStripe = notApplicable('Stripe is not configured.')

export const paymentChecks: readonly Check[] = [
  {
    id: 'stripe-mode',
    area: 'Payments',
    title: 'Mode of Stripe',
    remedy: 'Use live keys on the public server, and test keys everywhere else.',
    run: ({ config }) => {
      if (!config.stripe || isGenerated(config, 'STRIPE_SECRET_KEY')) return noStripe
      const isPublic = config.production && !isLocal(config.appUrl)
      if (config.stripe.isTest && isPublic) return warning('Stripe is in test mode: no one pays anything.')
      if (!config.stripe.isTest && !isPublic)
        return failed('Live keys are used on a server that is not public: tries cost money.')
      return ok(config.stripe.isTest ? 'Stripe is in test mode.' : 'Stripe is in live mode.')
    },
  },
  {
    id: 'stripe-keys',
    area: 'Payments',
    title: 'Keys of Stripe',
    remedy: 'Copy both keys from the same mode of the same Stripe account.',
    run: ({ config: { stripe, public: shown } }) => {
      if (!stripe || shown.stripePublishableKey === null) return noStripe
      if (shown.stripePublishableKey.startsWith('pk_test_') === stripe.isTest)
        return ok('Both keys have the same mode.')
      return failed('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY have different modes: checkouts fail.')
    },
  },
  {
    id: 'stripe-reachable',
    area: 'Payments',
    title: 'Connection to Stripe',
    remedy: 'Check STRIPE_SECRET_KEY, and let this machine make HTTPS requests to api.stripe.com.',
    run: async ({ config: { stripe } }) => {
      if (!stripe) return noStripe
      const answer = await askAddress(`${stripe.apiUrl}/v1/balance`, { authorization: `Bearer ${stripe.secretKey}` })
      if (answer.status === null) return failed(`Stripe does not answer: ${answer.problem}.`)
      if (answer.status === 401) return failed('Stripe does not accept STRIPE_SECRET_KEY.')
      return ok('Stripe answers.')
    },
  },
  {
    id: 'stripe-webhook-secret',
    area: 'Payments',
    title: 'Secret of Stripe’s webhook',
    remedy:
      'Create a webhook endpoint for {APP_URL}/api/v1/hooks/stripe at Stripe, and set STRIPE_WEBHOOK_SECRET to its secret.',
    run: ({ config: { stripe } }) => {
      if (!stripe) return noStripe
      if (stripe.webhookSecret === null)
        return failed('STRIPE_WEBHOOK_SECRET is not set: all events of Stripe are refused.')
      if (!stripe.webhookSecret.startsWith('whsec_'))
        return warning('STRIPE_WEBHOOK_SECRET does not look like one of Stripe’s.')
      return ok('STRIPE_WEBHOOK_SECRET is set.')
    },
  },
  {
    id: 'stripe-webhook',
    area: 'Payments',
    title: 'Events of Stripe',
    remedy:
      'Look at the failed deliveries of the webhook endpoint at Stripe. Its address must be {APP_URL}/api/v1/hooks/stripe.',
    needsDatabase: true,
    run: async ({ database, config: { stripe } }) => {
      if (!stripe) return noStripe
      const { customers, silentHours, foreign } = await readStripeEvents(database)
      if (foreign > 0) return warning(`${foreign} events of another account or mode arrived in the last 24 hours.`)
      if (customers === 0) return notApplicable('No organisation began to pay.')
      if (silentHours !== null && silentHours >= 1) {
        return failed(`No event of Stripe arrived since a customer was made ${silentHours} hours ago.`)
      }
      return ok('Events of Stripe arrive.')
    },
  },
]
