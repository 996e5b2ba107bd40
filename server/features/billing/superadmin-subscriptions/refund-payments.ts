import type Stripe from 'stripe'
import type { PaymentRefundRequest, SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { readMirror } from '../stripe/mirror.queries.ts'
import type { StripeAccess } from '../stripe/stripe-access.ts'
import { recordAct } from './record-act.ts'
import { findSubscriber } from './subscribers.queries.ts'

interface Parts {
  readonly database: Database
  readonly stripe: StripeAccess
  readonly convergeAndRead: (organizationId: string) => Promise<SubscriberBilling>
}

const reason = 'superadmins refund payments'
/** Metadata of the refund at Stripe: the id of the request, which outlives Stripe's idempotency keys. */
const requestKey = 'earshot_request'
const page = { limit: 100 } as const

/**
 * Makes the function that refunds payments. Stripe says how much of a payment is left: the mirror may
 * be late. A request that was carried out is found by its id, so that a retry refunds nothing, however late it comes.
 */
export function createRefunds({ database, stripe, convergeAndRead }: Parts) {
  return async (organizationId: string, request: PaymentRefundRequest): Promise<SubscriberBilling> => {
    const currency = await database.asSystem(reason, async (tx) => {
      if (!(await findSubscriber(tx, organizationId))) throw new ProductError('organization_not_found')
      const { payments } = await readMirror(tx, organizationId)
      const payment = payments.find(({ id }) => id === request.paymentId)
      if (!payment) throw new ProductError('payment_not_found')
      return payment.currency
    })
    const found = await stripe.ask((sdk) => findCharge(sdk, request.paymentId))
    const earlier = found?.refunds.find(({ metadata }) => metadata?.[requestKey] === request.id)
    if (earlier) {
      if (request.cents !== null && earlier.amount !== request.cents) throw new ProductError('id_reused')
      return convergeAndRead(organizationId)
    }
    const left = found?.left ?? 0
    if (!found || left === 0) throw invalid('body.paymentId', 'nothing of this payment is left to refund')
    const cents = request.cents ?? left
    if (cents > left) throw invalid('body.cents', `must be at most ${left}: more of this payment is not left`)
    await database.asSystem(reason, (tx) =>
      recordAct(tx, organizationId, {
        act: 'payment_refunded',
        amount: `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`,
        payment: request.paymentId,
        reason: request.reason,
      }),
    )
    await stripe.ask((sdk) => createRefund(sdk, { ...request, intent: found.intent, cents }))
    return convergeAndRead(organizationId)
  }
}

interface Refundable {
  readonly intent: string
  readonly left: number
  readonly refunds: readonly Stripe.Refund[]
}

/** What can be refunded of an invoice; undefined: nothing was paid by card or bank. */
async function findCharge(sdk: Stripe, invoiceId: string): Promise<Refundable | undefined> {
  const { payments } = await sdk.invoices.retrieve(invoiceId, { expand: ['payments'] })
  const paid = payments?.data.find(({ status, payment }) => status === 'paid' && payment.payment_intent)
  const intent = paid?.payment.payment_intent
  if (!intent) return undefined
  const id = typeof intent === 'string' ? intent : intent.id
  const refunds = await sdk.refunds.list({ payment_intent: id, ...page }).autoPagingToArray({ limit: 1_000 })
  const refunded = refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0)
  return { intent: id, left: Math.max(0, (paid.amount_paid ?? 0) - refunded), refunds }
}

/** @throws ProductError `id_reused`, `validation_failed` when another refund was faster. */
async function createRefund(
  sdk: Stripe,
  { id, intent, cents }: { id: string; intent: string; cents: number },
): Promise<void> {
  try {
    await sdk.refunds.create(
      { payment_intent: intent, amount: cents, metadata: { [requestKey]: id } },
      { idempotencyKey: `earshot_refund_${id}` },
    )
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined
    if (type === 'StripeIdempotencyError') throw new ProductError('id_reused', { cause: error })
    // The only thing that can be wrong with the request by now.
    if (type === 'StripeInvalidRequestError') throw invalid('body.cents', 'is more than is left of this payment')
    throw error
  }
}
