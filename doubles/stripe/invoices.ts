/*
 * Invoices: drafts, finalization, payment, and what a payment changes in the subscription (https://docs.stripe.com/api/invoices,
 * https://docs.stripe.com/billing/subscriptions/overview).
 */
import type Stripe from 'stripe'
import { type Account, idOf, snapshotOf } from './account.ts'
import { buildInvoice, type InvoiceFacts, splitBalance } from './build-invoice.ts'
import { changeBalance } from './customers.ts'
import { findDefaultPaymentMethod, requireOwnPaymentMethod } from './payment-methods.ts'
import { cancelPaymentIntent, confirmPaymentIntent, createPaymentIntent, failPaymentIntent } from './payments.ts'
import { daySeconds } from './periods.ts'
import { refuse, StripeRefusal } from './refusal.ts'
import { endSubscription, settleSubscription } from './subscription-status.ts'

/**
 * Days after a failed payment until the next attempt. Stripe's Smart Retries select the times by themselves, within two
 * weeks by default; this schedule is fixed. After the last attempt the subscription is cancelled, as Stripe does by default.
 */
export const retryDays: readonly number[] = [3, 5, 7]

/** Stores a draft. */
export function addInvoice(account: Account, facts: InvoiceFacts): Stripe.Invoice {
  const invoice = buildInvoice(account, facts)
  for (const line of invoice.lines.data) line.invoice = invoice.id
  invoice.lines.url = `/v1/invoices/${invoice.id}/lines`
  account.tables.invoices.add(invoice)
  const { subscription } = facts
  subscription.latest_invoice = invoice.id
  account.emit('invoice.created', invoice)
  return invoice
}

/** The subscription that an invoice belongs to. */
export function findSubscriptionOf(account: Account, invoice: Stripe.Invoice): Stripe.Subscription | undefined {
  return account.tables.subscriptions.find(idOf(invoice.parent?.subscription_details?.subscription))
}

/** Numbers a draft, uses the customer's balance, and makes it payable. Nothing due: it is paid. */
export function finalizeInvoice(account: Account, invoice: Stripe.Invoice): void {
  if (invoice.status !== 'draft') throw refuse('This invoice is already finalized.', undefined, 'invoice_not_editable')
  const customer = account.getCustomer(idOf(invoice.customer))
  const now = account.now(customer.test_clock)
  invoice.status = 'open'
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence ?? 1).padStart(4, '0')}`
  customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1
  customer.currency = invoice.currency
  invoice.effective_at = now
  invoice.status_transitions.finalized_at = now
  invoice.automatically_finalizes_at = null
  const secret = account.newId('test').replace('_', '')
  invoice.hosted_invoice_url = `${account.baseUrl()}/i/${account.id}/${invoice.id}-${secret}`
  invoice.invoice_pdf = `${invoice.hosted_invoice_url}/pdf`
  applyBalance(account, invoice, customer)
  if (invoice.amount_due > 0) addInvoicePayment(account, invoice, customer)
  account.emit('invoice.finalized', invoice)
  if (invoice.amount_due === 0) markPaid(account, invoice)
}

function applyBalance(account: Account, invoice: Stripe.Invoice, customer: Stripe.Customer): void {
  invoice.starting_balance = customer.balance
  const { due, change } = splitBalance(invoice.total, customer.balance)
  if (change !== 0) changeBalance(account, customer, change, { type: 'applied_to_invoice', invoice: invoice.id })
  invoice.ending_balance = customer.balance
  invoice.amount_due = due
  invoice.amount_remaining = due
}

function addInvoicePayment(account: Account, invoice: Stripe.Invoice, customer: Stripe.Customer): void {
  const intent = createPaymentIntent(account, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: customer.id,
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
  })
  account.tables.invoicePayments.add({
    id: account.newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: intent.created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
}

/** The payment of an invoice, and its payment intent; undefined when nothing is due. */
export function findPaymentOf(account: Account, invoiceId: string) {
  const payment = account.tables.invoicePayments.list((each) => each.invoice === invoiceId)[0]
  const intent = account.tables.paymentIntents.find(idOf(payment?.payment.payment_intent))
  return payment && intent ? { payment, intent } : undefined
}

interface Attempt {
  readonly paymentMethod?: string | undefined
  /** The customer completed 3-D Secure for this payment. */
  readonly isAuthenticated?: boolean
  /** The customer is there, so a failed attempt is not announced to them. */
  readonly isOnSession?: boolean
}

/** Tries to pay an open invoice. */
export function attemptPayment(
  account: Account,
  invoice: Stripe.Invoice,
  attempt: Attempt = {},
): 'paid' | 'requires_action' | 'failed' {
  const found = findPaymentOf(account, invoice.id)
  if (invoice.status !== 'open' || !found) throw refuse('Invoice is not open.', undefined, 'invoice_not_editable')
  const customer = account.getCustomer(idOf(invoice.customer))
  const subscription = findSubscriptionOf(account, invoice)
  const method = attempt.paymentMethod ?? findDefaultPaymentMethod(account, customer, subscription)
  invoice.attempted = true
  // Any attempt counts as the first; later ones of a customer who is there are no part of the retry schedule.
  const isManual = attempt.isOnSession === true && invoice.attempt_count > 0
  if (!attempt.isAuthenticated && !isManual) invoice.attempt_count += 1
  const outcome =
    method === undefined
      ? { kind: 'declined' as const }
      : confirmPaymentIntent(account, found.intent, method, attempt.isAuthenticated ?? false)
  if (outcome.kind === 'succeeded') {
    markPaid(account, invoice)
    return 'paid'
  }
  const isFirst = invoice.billing_reason === 'subscription_create'
  if (!attempt.isOnSession) planRetry(account, invoice)
  if (subscription) settleSubscription(account, subscription, isFirst ? 'incomplete' : 'past_due')
  customer.delinquent = !isFirst
  if (outcome.kind === 'declined' || !attempt.isOnSession) account.emit('invoice.payment_failed', invoice)
  if (outcome.kind === 'requires_action') account.emit('invoice.payment_action_required', invoice)
  return outcome.kind === 'requires_action' ? 'requires_action' : 'failed'
}

function planRetry(account: Account, invoice: Stripe.Invoice): void {
  const days = invoice.billing_reason === 'subscription_create' ? undefined : retryDays[invoice.attempt_count - 1]
  const now = account.now(invoice.test_clock)
  invoice.next_payment_attempt = days === undefined ? null : now + days * daySeconds
}

/** 3-D Secure ended in the customer's browser. */
export function finishAuthentication(account: Account, intent: Stripe.PaymentIntent, isAuthenticated: boolean): void {
  const payment = account.tables.invoicePayments.list((each) => each.payment.payment_intent === intent.id)[0]
  const invoice = account.tables.invoices.get(idOf(payment?.invoice))
  if (isAuthenticated) {
    const paymentMethod = idOf(intent.payment_method)
    attemptPayment(account, invoice, { paymentMethod, isAuthenticated, isOnSession: true })
    return
  }
  failPaymentIntent(account, intent, {
    code: 'payment_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication.',
    type: 'invalid_request_error',
  })
  account.emit('invoice.payment_failed', invoice)
}

function markPaid(account: Account, invoice: Stripe.Invoice, isOutOfBand = false): void {
  const customer = account.getCustomer(idOf(invoice.customer))
  const now = account.now(customer.test_clock)
  const found = findPaymentOf(account, invoice.id)
  invoice.status = 'paid'
  invoice.attempted = true
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.amount_paid = isOutOfBand ? 0 : invoice.amount_due
  invoice.amount_remaining = 0
  invoice.status_transitions.paid_at = now
  if (found) {
    found.payment.status = isOutOfBand ? 'canceled' : 'paid'
    found.payment.amount_paid = isOutOfBand ? null : invoice.amount_due
    found.payment.status_transitions = isOutOfBand
      ? { canceled_at: now, paid_at: null }
      : { canceled_at: null, paid_at: now }
    if (isOutOfBand) cancelPaymentIntent(account, found.intent)
    else account.emit('invoice_payment.paid', found.payment)
  }
  customer.delinquent = false
  account.emit('invoice.paid', invoice)
  account.emit('invoice.payment_succeeded', invoice)
  const subscription = findSubscriptionOf(account, invoice)
  const pending = account.pendingUpdates.get(subscription?.id ?? '')
  if (pending?.invoice === invoice.id) pending.apply()
  if (subscription) settleSubscription(account, subscription, 'paid')
}

/** Pays by request. @throws StripeRefusal 402 when the payment fails or needs the customer */
export function payInvoice(account: Account, id: string, params: Stripe.InvoicePayParams): Stripe.Invoice {
  const invoice = account.tables.invoices.get(id)
  if (invoice.status === 'paid') throw refuse('Invoice is already paid', undefined, 'invoice_already_paid')
  if (invoice.status === 'draft') finalizeInvoice(account, invoice)
  if (params.paid_out_of_band && invoice.status === 'open') markPaid(account, invoice, true)
  if (invoice.status === 'paid') return invoice
  if (invoice.status !== 'open') throw refuse(`This invoice is ${invoice.status}.`, undefined, 'invoice_not_editable')
  const customer = account.getCustomer(idOf(invoice.customer))
  const paymentMethod =
    params.payment_method === undefined
      ? findDefaultPaymentMethod(account, customer, findSubscriptionOf(account, invoice))
      : requireOwnPaymentMethod(account, params.payment_method, customer.id, 'payment_method')
  if (paymentMethod === undefined) throw refuseWithoutMethod()
  const result = attemptPayment(account, invoice, { paymentMethod, isOnSession: params.off_session === false })
  if (result === 'paid') return invoice
  throw describeFailure(account, invoice, result)
}

/** The 402 of a payment that did not succeed. */
export function describeFailure(
  account: Account,
  invoice: Stripe.Invoice,
  result: 'requires_action' | 'failed',
): StripeRefusal {
  const intent = findPaymentOf(account, invoice.id)?.intent
  if (result === 'requires_action') {
    const message = 'Payment for this invoice requires additional user action before it can be completed successfully.'
    return new StripeRefusal(402, message, {
      type: 'invalid_request_error',
      code: 'invoice_payment_intent_requires_action',
      payment_intent: intent && snapshotOf(intent),
    })
  }
  const error = intent?.last_payment_error
  return new StripeRefusal(402, error?.message ?? 'Your card was declined.', {
    code: error?.code ?? 'card_declined',
    decline_code: error?.decline_code,
    ...(error?.charge && { charge: error.charge }),
  })
}

/** The refusal of a charge without a card. */
export function refuseWithoutMethod(): StripeRefusal {
  const message =
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.'
  return refuse(message, undefined, 'resource_missing')
}

export function voidInvoice(account: Account, id: string): Stripe.Invoice {
  const invoice = account.tables.invoices.get(id)
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw refuse(
      `You can only pass in open or uncollectible invoices. This invoice isn't (status: ${invoice.status}).`,
      undefined,
      'status_transition_invalid',
    )
  invoice.status = 'void'
  closeInvoice(account, invoice)
  invoice.status_transitions.voided_at = account.now(invoice.test_clock)
  account.emit('invoice.voided', invoice)
  const subscription = findSubscriptionOf(account, invoice)
  if (!subscription || idOf(subscription.latest_invoice) !== id) return invoice
  // Without its first invoice a subscription never starts.
  if (subscription.status === 'incomplete') endSubscription(account, subscription, { status: 'incomplete_expired' })
  else settleSubscription(account, subscription, 'paid')
  return invoice
}

export function markUncollectible(account: Account, id: string): Stripe.Invoice {
  const invoice = account.tables.invoices.get(id)
  if (invoice.status !== 'open')
    throw refuse('Only open invoices can be uncollectible.', undefined, 'status_transition_invalid')
  invoice.status = 'uncollectible'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions.marked_uncollectible_at = account.now(invoice.test_clock)
  account.emit('invoice.marked_uncollectible', invoice)
  return invoice
}

/** No further attempts, and no open payment. */
function closeInvoice(account: Account, invoice: Stripe.Invoice): void {
  const found = findPaymentOf(account, invoice.id)
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.amount_remaining = 0
  if (!found) return
  found.payment.status = 'canceled'
  found.payment.status_transitions.canceled_at = account.now(invoice.test_clock)
  cancelPaymentIntent(account, found.intent)
}
