import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata, snapshotOf } from '../account.ts'
import { createCreditNote } from '../credit-notes.ts'
import { previewInvoice } from '../invoice-preview.ts'
import { finalizeInvoice, markUncollectible, payInvoice, voidInvoice } from '../invoices.ts'
import { isInRange, paginate } from '../lists.ts'
import { requireOwnPaymentMethod } from '../payment-methods.ts'
import { createRefund } from '../payments.ts'
import { refuse } from '../refusal.ts'
import { type Route, route } from '../route.ts'
import { updateSubscription } from '../subscription-changes.ts'
import { cancelSubscription, createSubscription } from '../subscriptions.ts'

const pages = 'limit starting_after ending_before'
const ended = ['canceled', 'incomplete_expired']

const subscriptions: readonly Route[] = [
  route<Stripe.SubscriptionCreateParams>(
    'POST /subscriptions',
    'Subscriptions SubscriptionCreateParams',
    'automatic_tax cancel_at_period_end collection_method currency customer default_payment_method description discounts items metadata off_session payment_behavior proration_behavior trial_end trial_period_days',
    ({ account }, params) => createSubscription(account, params),
  ),
  route('GET /subscriptions/{id}', 'Subscriptions SubscriptionRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.subscriptions.get(id),
  ),
  route<Stripe.SubscriptionUpdateParams>(
    'POST /subscriptions/{id}',
    'Subscriptions SubscriptionUpdateParams',
    'automatic_tax billing_cycle_anchor cancel_at cancel_at_period_end cancellation_details default_payment_method description discounts items metadata off_session payment_behavior proration_behavior proration_date trial_end',
    ({ account, ids: [id] }, params) => updateSubscription(account, id, params),
  ),
  route<Stripe.SubscriptionCancelParams>(
    'DELETE /subscriptions/{id}',
    'Subscriptions SubscriptionCancelParams',
    'cancellation_details invoice_now prorate',
    ({ account, ids: [id] }, params) => cancelSubscription(account, id, params),
  ),
  route('POST /subscriptions/{id}/resume', 'Subscriptions SubscriptionResumeParams', '', ({ account, ids: [id] }) => {
    const { status } = account.tables.subscriptions.get(id)
    throw refuse(`Only paused subscriptions can be resumed; this one is ${status}.`, 'id')
  }),
  route<Stripe.SubscriptionListParams>(
    'GET /subscriptions',
    'Subscriptions SubscriptionListParams',
    `created customer price status test_clock ${pages}`,
    ({ account, path }, { created, customer, price, status, test_clock: clock, ...page }) => {
      if (customer !== undefined) account.tables.customers.get(customer, 'customer')
      const found = account.tables.subscriptions.list(
        (each) =>
          (customer === undefined || idOf(each.customer) === customer) &&
          (price === undefined || each.items.data.some((item) => item.price.id === price)) &&
          hasStatus(each.status, status) &&
          (clock === undefined || idOf(each.test_clock) === clock) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

/** Without a status, Stripe leaves out the cancelled ones. */
function hasStatus(status: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return status !== 'canceled'
  if (wanted === 'all') return true
  return wanted === 'ended' ? ended.includes(status) : status === wanted
}

const invoices: readonly Route[] = [
  route<Stripe.InvoiceCreatePreviewParams>(
    'POST /invoices/create_preview',
    'Invoices InvoiceCreatePreviewParams',
    'automatic_tax customer discounts preview_mode subscription subscription_details',
    ({ account }, params) => previewInvoice(account, params),
  ),
  route<Stripe.InvoiceListParams>(
    'GET /invoices',
    'Invoices InvoiceListParams',
    `collection_method created customer status subscription ${pages}`,
    ({ account, path }, { collection_method: method, created, customer, status, subscription, ...page }) => {
      const found = account.tables.invoices.list(
        (each) =>
          (method === undefined || each.collection_method === method) &&
          (customer === undefined || idOf(each.customer) === customer) &&
          (status === undefined || each.status === status) &&
          (subscription === undefined || idOf(each.parent?.subscription_details?.subscription) === subscription) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
  route('GET /invoices/{id}', 'Invoices InvoiceRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.invoices.get(id),
  ),
  route<Stripe.InvoiceUpdateParams>(
    'POST /invoices/{id}',
    'Invoices InvoiceUpdateParams',
    'auto_advance default_payment_method description metadata',
    ({ account, ids: [id] }, params) => updateInvoice(account, id, params),
  ),
  route('POST /invoices/{id}/finalize', 'Invoices InvoiceFinalizeInvoiceParams', '', ({ account, ids: [id] }) => {
    const invoice = account.tables.invoices.get(id)
    finalizeInvoice(account, invoice)
    return invoice
  }),
  route<Stripe.InvoicePayParams>(
    'POST /invoices/{id}/pay',
    'Invoices InvoicePayParams',
    'off_session paid_out_of_band payment_method',
    ({ account, ids: [id] }, params) => payInvoice(account, id, params),
  ),
  route('POST /invoices/{id}/void', 'Invoices InvoiceVoidInvoiceParams', '', ({ account, ids: [id] }) =>
    voidInvoice(account, id),
  ),
  route(
    'POST /invoices/{id}/mark_uncollectible',
    'Invoices InvoiceMarkUncollectibleParams',
    '',
    ({ account, ids: [id] }) => markUncollectible(account, id),
  ),
  route<Stripe.InvoiceListLineItemsParams>(
    'GET /invoices/{id}/lines',
    'Invoices InvoiceListLineItemsParams',
    pages,
    ({ account, ids: [id], path }, page) => paginate(account.tables.invoices.get(id).lines.data, page, path),
  ),
  route<Stripe.InvoicePaymentListParams>(
    'GET /invoice_payments',
    'InvoicePayments InvoicePaymentListParams',
    `created invoice payment status ${pages}`,
    ({ account, path }, { created, invoice, payment, status, ...page }) => {
      const found = account.tables.invoicePayments.list(
        (each) =>
          (invoice === undefined || idOf(each.invoice) === invoice) &&
          (payment?.payment_intent === undefined || each.payment.payment_intent === payment.payment_intent) &&
          (status === undefined || each.status === status) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

function updateInvoice(account: Account, id: string, params: Stripe.InvoiceUpdateParams): Stripe.Invoice {
  const invoice = account.tables.invoices.get(id)
  const before = snapshotOf(invoice)
  if (params.description !== undefined && invoice.status !== 'draft')
    throw refuse('Finalized invoices can only update metadata and auto_advance.', 'description', 'invoice_not_editable')
  if (params.auto_advance !== undefined) invoice.auto_advance = params.auto_advance
  if (params.description !== undefined) invoice.description = params.description || null
  if (params.default_payment_method)
    invoice.default_payment_method = requireOwnPaymentMethod(
      account,
      params.default_payment_method,
      idOf(invoice.customer),
      'default_payment_method',
    )
  if (params.metadata !== undefined) invoice.metadata = mergeMetadata(invoice.metadata ?? {}, params.metadata)
  account.emit('invoice.updated', invoice, before)
  return invoice
}

const payments: readonly Route[] = [
  route('GET /payment_intents/{id}', 'PaymentIntents PaymentIntentRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.paymentIntents.get(id, 'intent'),
  ),
  route<Stripe.PaymentIntentListParams>(
    'GET /payment_intents',
    'PaymentIntents PaymentIntentListParams',
    `created customer ${pages}`,
    ({ account, path }, { created, customer, ...page }) => {
      const found = account.tables.paymentIntents.list(
        (each) => (customer === undefined || idOf(each.customer) === customer) && isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
  route('GET /charges/{id}', 'Charges ChargeRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.charges.get(id),
  ),
  route<Stripe.ChargeListParams>(
    'GET /charges',
    'Charges ChargeListParams',
    `created customer payment_intent ${pages}`,
    ({ account, path }, { created, customer, payment_intent: intent, ...page }) => {
      const found = account.tables.charges.list(
        (each) =>
          (customer === undefined || idOf(each.customer) === customer) &&
          (intent === undefined || idOf(each.payment_intent) === intent) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

const returns: readonly Route[] = [
  route<Stripe.RefundCreateParams>(
    'POST /refunds',
    'Refunds RefundCreateParams',
    'amount charge metadata payment_intent reason',
    ({ account }, params) => createRefund(account, params),
  ),
  route('GET /refunds/{id}', 'Refunds RefundRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.refunds.get(id),
  ),
  route<Stripe.RefundListParams>(
    'GET /refunds',
    'Refunds RefundListParams',
    `charge created payment_intent ${pages}`,
    ({ account, path }, { charge, created, payment_intent: intent, ...page }) => {
      const found = account.tables.refunds.list(
        (each) =>
          (charge === undefined || idOf(each.charge) === charge) &&
          (intent === undefined || idOf(each.payment_intent) === intent) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
  route<Stripe.CreditNoteCreateParams>(
    'POST /credit_notes',
    'CreditNotes CreditNoteCreateParams',
    'invoice amount credit_amount effective_at email_type lines memo metadata out_of_band_amount reason refund_amount refunds',
    ({ account }, params) => account.atomically(() => createCreditNote(account, params)),
  ),
  route('GET /credit_notes/{id}', 'CreditNotes CreditNoteRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.creditNotes.get(id),
  ),
  route<Stripe.CreditNoteListParams>(
    'GET /credit_notes',
    'CreditNotes CreditNoteListParams',
    `created customer invoice ${pages}`,
    ({ account, path }, { created, customer, invoice, ...page }) => {
      const found = account.tables.creditNotes.list(
        (each) =>
          (customer === undefined || idOf(each.customer) === customer) &&
          (invoice === undefined || idOf(each.invoice) === invoice) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

/** Subscriptions, invoices, payments, refunds and credit notes. */
export const billingRoutes: readonly Route[] = [...subscriptions, ...invoices, ...payments, ...returns]
