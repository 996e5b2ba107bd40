/* Payment methods: cards only (https://docs.stripe.com/api/payment_methods). */
import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata, snapshotOf } from './account.ts'
import { findTestCard, type TestCard } from './cards.ts'
import { noSuch, notImplemented, refuse, StripeRefusal } from './refusal.ts'

interface CardDetails {
  readonly expMonth?: number
  readonly expYear?: number
  readonly billing?: Partial<Stripe.PaymentMethod.BillingDetails>
  readonly metadata?: Stripe.MetadataParam
}

/** Creates one from a test card, without a customer. */
export function addPaymentMethod(account: Account, card: TestCard, details: CardDetails = {}): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: account.newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null, ...details.billing },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: details.expMonth ?? 12,
      exp_year: details.expYear ?? new Date(account.now() * 1000).getUTCFullYear() + 3,
      fingerprint: `fp_${card.number.slice(-8)}`,
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: mergeMetadata({}, details.metadata),
    type: 'card',
  }
  account.tables.paymentMethods.add(method)
  account.cards.set(method.id, { card, isSetUp: false })
  return method
}

export function createPaymentMethod(account: Account, params: Stripe.PaymentMethodCreateParams): Stripe.PaymentMethod {
  if (params.type === undefined) throw refuse('Missing required param: type.', 'type', 'parameter_missing')
  if (params.type !== 'card') throw notImplemented('type')
  const { card } = params
  if (!card) throw refuse('Missing required param: card.', 'card', 'parameter_missing')
  if ('number' in card && card.number !== undefined) {
    const message =
      'Sending credit card numbers directly to the Stripe API is generally unsafe. Use test tokens instead.'
    throw new StripeRefusal(402, message, { param: 'card[number]' })
  }
  const token = 'token' in card ? card.token : undefined
  const found = findTestCard((token ?? '').replace(/^tok_/, 'pm_card_'))
  if (!found) throw noSuch('token', token ?? '', 'card[token]')
  return addPaymentMethod(account, found, params.metadata ? { metadata: params.metadata } : {})
}

/** `pm_card_visa` and its like become a payment method each time they are used. */
export function resolvePaymentMethod(account: Account, id: string, param = 'payment_method'): Stripe.PaymentMethod {
  const card = id.startsWith('pm_card_') ? findTestCard(id) : undefined
  return card ? addPaymentMethod(account, card) : account.tables.paymentMethods.get(id, param)
}

/** @throws StripeRefusal 402 for cards that their bank does not let anyone save */
export function attachPaymentMethod(account: Account, id: string, customerId: string): Stripe.PaymentMethod {
  const customer = account.getCustomer(customerId)
  const method = resolvePaymentMethod(account, id, 'id')
  if (idOf(method.customer) === customer.id) return method
  if (method.customer !== null)
    throw refuse('The payment method you provided has already been attached to a customer.', 'customer')
  const card = account.cards.get(method.id)?.card
  if (card?.refusesSetup)
    throw new StripeRefusal(402, 'Your card was declined.', { code: 'card_declined', decline_code: card.declineCode })
  method.customer = customer.id
  account.emit('payment_method.attached', method)
  return method
}

/** The customer's and the subscriptions' default is unset with it. */
export function detachPaymentMethod(account: Account, id: string): Stripe.PaymentMethod {
  const method = account.tables.paymentMethods.get(id)
  if (method.customer === null)
    throw refuse('The payment method you provided is not attached to a customer so detachment is impossible.', 'id')
  const before = snapshotOf(method)
  const customer = account.getCustomer(method.customer)
  if (customer.invoice_settings.default_payment_method === id) customer.invoice_settings.default_payment_method = null
  for (const subscription of account.tables.subscriptions.list())
    if (subscription.default_payment_method === id) subscription.default_payment_method = null
  method.customer = null
  account.emit('payment_method.detached', method, before)
  return method
}

/** A payment method of the customer's. @throws StripeRefusal for others */
export function requireOwnPaymentMethod(account: Account, id: string, customerId: string, param: string): string {
  const method = account.tables.paymentMethods.get(id, param)
  if (idOf(method.customer) !== customerId)
    throw refuse(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      param,
    )
  return method.id
}

/** The subscription's default, else the customer's. */
export function findDefaultPaymentMethod(
  account: Account,
  customer: Stripe.Customer,
  subscription: Stripe.Subscription | undefined,
): string | undefined {
  const own = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method
  const id = idOf(own)
  return account.tables.paymentMethods.find(id)?.customer ? id : undefined
}
