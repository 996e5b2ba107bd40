/*
 * Payment intents of invoices, and their charges (https://docs.stripe.com/api/payment_intents, …/charges). Only invoices
 * create payment intents here: the product sells subscriptions only.
 */
import type Stripe from 'stripe'
import { type Account, idOf, snapshotOf } from './account.ts'
import { type CardOutcome, decideOutcome } from './cards.ts'
import { refuse } from './refusal.ts'

/** Creates the payment intent of an invoice that is due. */
export function createPaymentIntent(
  account: Account,
  {
    amount,
    currency,
    customer,
    description,
  }: { amount: number; currency: string; customer: string; description: string },
): Stripe.PaymentIntent {
  const id = account.newId('pi')
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: account.newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: account.now(account.getCustomer(customer).test_clock),
    currency,
    customer,
    customer_account: null,
    description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  }
  account.tables.paymentIntents.add(intent)
  account.emit('payment_intent.created', intent)
  return intent
}

/**
 * Tries to pay.
 * @param isAuthenticated the customer completed 3-D Secure for this payment
 */
export function confirmPaymentIntent(
  account: Account,
  intent: Stripe.PaymentIntent,
  methodId: string,
  isAuthenticated: boolean,
): CardOutcome {
  const state = account.cards.get(methodId)
  if (!state) throw refuse('The payment method cannot be used.', 'payment_method', 'payment_method_unactivated')
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw refuse(`This PaymentIntent's status is ${intent.status}.`, 'intent', 'payment_intent_unexpected_state')
  const isKnown = state.card.authentication === 'setup' && state.isSetUp
  const outcome = decideOutcome(state.card, isAuthenticated || isKnown)
  intent.payment_method = methodId
  intent.next_action = null
  if (outcome.kind === 'requires_action') {
    intent.status = 'requires_action'
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { return_url: null, url: `${account.baseUrl()}/3ds/${intent.client_secret}` },
    }
    account.emit('payment_intent.requires_action', intent)
    return outcome
  }
  if (isAuthenticated) state.isSetUp = true
  const charge = addCharge(account, intent, methodId, outcome)
  intent.latest_charge = charge.id
  if (outcome.kind === 'succeeded') {
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    account.emit('charge.succeeded', charge)
    account.emit('payment_intent.succeeded', intent)
    return outcome
  }
  account.emit('charge.failed', charge)
  failPaymentIntent(account, intent, {
    charge: charge.id,
    code: 'card_declined',
    decline_code: outcome.declineCode,
    message: outcome.message,
    payment_method: account.tables.paymentMethods.get(methodId),
    type: 'card_error',
  })
  return outcome
}

/** Another payment method is needed. */
export function failPaymentIntent(
  account: Account,
  intent: Stripe.PaymentIntent,
  error: Stripe.PaymentIntent.LastPaymentError,
): void {
  intent.status = 'requires_payment_method'
  intent.next_action = null
  intent.last_payment_error = error
  intent.payment_method = null
  account.emit('payment_intent.payment_failed', intent)
}

export function cancelPaymentIntent(account: Account, intent: Stripe.PaymentIntent): void {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return
  intent.status = 'canceled'
  intent.canceled_at = account.now()
  intent.next_action = null
  intent.cancellation_reason = 'void_invoice'
  account.emit('payment_intent.canceled', intent)
}

function addCharge(
  account: Account,
  intent: Stripe.PaymentIntent,
  methodId: string,
  outcome: CardOutcome,
): Stripe.Charge {
  const id = account.newId('ch')
  const isPaid = outcome.kind === 'succeeded'
  const method = account.tables.paymentMethods.get(methodId)
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: null,
    captured: isPaid,
    created: account.now(account.getCustomer(intent.customer).test_clock),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: isPaid ? null : 'card_declined',
    failure_message: outcome.kind === 'declined' ? outcome.message : null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: methodId,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: isPaid ? `${account.baseUrl()}/receipts/${id}` : null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  }
  return account.tables.charges.add(charge)
}

export function createRefund(account: Account, params: Stripe.RefundCreateParams): Stripe.Refund {
  if ((params.charge === undefined) === (params.payment_intent === undefined))
    throw refuse(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'payment_intent',
      'parameter_missing',
    )
  const intent =
    params.payment_intent === undefined
      ? undefined
      : account.tables.paymentIntents.get(params.payment_intent, 'payment_intent')
  const chargeId = params.charge ?? idOf(intent?.latest_charge)
  if (intent && intent.status !== 'succeeded')
    throw refuse(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, 'payment_intent')
  const charge = account.tables.charges.get(chargeId, 'charge')
  if (charge.refunded)
    throw refuse(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
  if (!charge.paid) throw refuse(`Charge ${charge.id} was not paid.`, 'charge', 'charge_not_refundable')
  const open = charge.amount - charge.amount_refunded
  const amount = params.amount ?? open
  if (amount < 1) throw refuse('Invalid positive integer', 'amount', 'parameter_invalid_integer')
  if (amount > open)
    throw refuse(
      `Refund amount (${formatUsd(amount)}) is greater than unrefunded amount on charge (${formatUsd(open)})`,
      'amount',
    )
  return addRefund(account, charge, amount, params)
}

function addRefund(
  account: Account,
  charge: Stripe.Charge,
  amount: number,
  { reason, metadata }: Stripe.RefundCreateParams,
): Stripe.Refund {
  const before = snapshotOf(charge)
  const refund: Stripe.Refund = {
    id: account.newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: account.now(findClock(account, charge)),
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    destination_details: { card: { reference_status: 'pending', type: 'refund' }, type: 'card' },
    metadata: Object.fromEntries(Object.entries(metadata || {}).map(([key, value]) => [key, String(value)])),
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  account.tables.refunds.add(refund)
  account.emit('refund.created', refund)
  account.emit('charge.refunded', charge, before)
  refund.destination_details = {
    card: { reference: '123456789012', reference_status: 'available', type: 'refund' },
    type: 'card',
  }
  account.emit('refund.updated', refund)
  return refund
}

function findClock(account: Account, charge: Stripe.Charge) {
  const customer = account.tables.customers.find(idOf(charge.customer))
  return customer && !customer.deleted ? (customer.test_clock ?? null) : null
}

const formatUsd = (amount: number) => `$${(amount / 100).toFixed(2)}`
