import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findBilledOrganization, noteStripeEvent, requestConvergence } from './stripe-events.queries.ts'

const maxBodyBytes = 1_000_000
/** Age at which a signature is no longer accepted. */
const toleranceSeconds = 300
const reason = 'Stripe says that something has changed'

/** What can change the mirror. Others are counted. */
const concerning = /^(customer|invoice|invoice_payment|charge|refund|payment_intent|credit_note|checkout\.session)\./

interface HookParts {
  readonly database: Database
  readonly settings: Config['stripe']
  readonly findStripe: (() => Promise<Stripe>) | null
}

/**
 * Takes Stripe's events (https://docs.stripe.com/webhooks). An event is a hint that something has changed: its content is
 * not used, so that order, repetition and loss do no harm. Not a route of the contracts, because its body is checked byte
 * by byte.
 */
export async function stripeHooksRoutes(
  app: FastifyInstance,
  { database, settings, findStripe }: HookParts,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) => {
      done(null, body)
    })
    scope.post('/api/v1/hooks/stripe', async (request, reply) => {
      const event = await readEvent(
        findStripe,
        settings?.webhookSecret,
        request.body,
        request.headers['stripe-signature'],
      )
      await database.asSystem(reason, async (tx) => {
        const subject = findSubject(event)
        const organizationId = await findBilledOrganization(tx, subject)
        const outcome = judge(event, { isTest: settings?.isTest ?? false, organizationId })
        const isNew = await noteStripeEvent(tx, {
          id: event.id,
          type: event.type,
          customerId: subject.customerId,
          outcome,
          createdAt: new Date(event.created * 1000),
        })
        if (isNew && outcome === 'converging' && organizationId !== undefined)
          await requestConvergence(tx, organizationId)
      })
      return reply.code(200).send({ received: true })
    })
  })
}

/** @throws ProductError `hook_signature_invalid`, also where no secret is configured. */
async function readEvent(
  findStripe: HookParts['findStripe'],
  secret: string | null | undefined,
  body: unknown,
  signature: string | string[] | undefined,
): Promise<Stripe.Event> {
  if (!findStripe || !secret || typeof signature !== 'string' || !Buffer.isBuffer(body)) {
    throw new ProductError('hook_signature_invalid')
  }
  try {
    const stripe = await findStripe()
    return await stripe.webhooks.constructEventAsync(body, signature, secret, toleranceSeconds)
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProductError('malformed_json')
    // For some headers, such as empty signatures, the SDK throws other errors than its own.
    throw new ProductError('hook_signature_invalid', { cause: error })
  }
}

function judge(
  event: Stripe.Event,
  { isTest, organizationId }: { isTest: boolean; organizationId: string | undefined },
) {
  // Of an account connected to ours, or of the other mode: neither has our customers.
  if (event.account !== undefined || event.livemode === isTest) return 'foreign'
  if (!concerning.test(event.type)) return 'unknown_type'
  return organizationId === undefined ? 'unknown_customer' : 'converging'
}

/** Whom an event is about: a customer or, of refunds, the refund. */
function findSubject({ data }: Stripe.Event): { customerId: string | null; refundId: string | null } {
  const object: { readonly object?: unknown; readonly id?: unknown; readonly customer?: unknown } = data.object
  const { object: kind, id, customer } = object
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 255) : null)
  return { customerId: text(kind === 'customer' ? id : customer), refundId: kind === 'refund' ? text(id) : null }
}
