/*
 * Invoices: drafts, finalization, payment, and what a payment changes in the subscription (https://docs.stripe.com/api/invoices,
 * https://docs.stripe.com/billing/subscriptions/overview).
 */
import type Stripe from 'stripe'
import { type Account, idOf, listOf, snapshotOf } from './account.ts'
import { changeBalance, listTaxIds } from './customers.ts'
import { sumLines } from './invoice-lines.ts'
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

interface InvoiceFacts {
  readonly customer: Stripe.Customer
  readonly subscription: Stripe.Subscription
  readonly lines: readonly Stripe.InvoiceLineItem[]
  readonly reason: Stripe.Invoice.BillingReason
  readonly period: { readonly start: number; readonly end: number }
  readonly discounts: readonly Stripe.Discount[]
  readonly prorationDate?: number | undefined
}

/** Builds a draft that is not stored, as a preview needs. */
export function buildInvoice(account: Account, facts: InvoiceFacts): Stripe.Invoice {
  const { customer, subscription, period } = facts
  const clock = idOf(customer.test_clock) || null
  const hasTax = subscription.automatic_tax.enabled
  const lines = facts.lines.map((line) => ({ ...line }))
  const sums = sumLines(account, lines, { discounts: facts.discounts, customer, hasTax })
  const now = account.now(clock)
  const { due } = splitBalance(sums.total, customer.balance)
  return {
    id: account.newId('in'),
    object: 'invoice',
    account_country: 'US',
    account_name: 'Stripe double',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: hasTax,
      liability: hasTax ? { type: 'self' } : null,
      provider: hasTax ? 'stripe' : null,
      status: hasTax ? 'complete' : null,
    },
    automatically_finalizes_at: null,
    billing_reason: facts.reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: listTaxIds(account, customer.id).map(({ type, value }) => ({ type, value })),
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: facts.discounts.map(({ id }) => id),
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(lines, '/v1/invoices/upcoming/lines'),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: subscription.metadata,
        subscription: subscription.id,
        ...(facts.prorationDate !== undefined && { subscription_proration_date: facts.prorationDate }),
      },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: sums.subtotal,
    subtotal_excluding_tax: sums.subtotal,
    test_clock: clock,
    total: sums.total,
    total_discount_amounts: sums.discounts,
    total_excluding_tax: sums.totalExcludingTax,
    total_pretax_credit_amounts: [],
    total_taxes: sums.taxes,
    webhooks_delivered_at: null,
  }
}

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

/** A credit pays as far as it reaches; a negative total becomes a credit; a debt is added. */
function splitBalance(total: number, balance: number): { readonly due: number; readonly change: number } {
  if (total < 0 || total + balance <= 0) return { due: 0, change: total }
  return { due: total + balance, change: -balance }
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
  if (!attempt.isAuthenticated) invoice.attempt_count += 1
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
