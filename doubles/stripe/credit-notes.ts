/* Credit notes (https://docs.stripe.com/api/credit_notes): they lower what is due, or return what was paid. */
import type Stripe from 'stripe'
import { type Account, idOf, listOf, mergeMetadata, snapshotOf } from './account.ts'
import { changeBalance } from './customers.ts'
import { sum } from './invoice-lines.ts'
import { findPaymentOf } from './invoices.ts'
import { createRefund } from './payments.ts'
import { notImplemented, refuse } from './refusal.ts'

export function createCreditNote(account: Account, params: Stripe.CreditNoteCreateParams): Stripe.CreditNote {
  const invoice = account.tables.invoices.get(params.invoice, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'paid')
    throw refuse(
      `You can only create credit notes for open or paid invoices; this one is ${invoice.status}.`,
      'invoice',
    )
  const lines = readLines(account, invoice, params)
  const total = sum(lines.map(({ amount }) => amount))
  if (total < 1) throw refuse('The total amount of the credit note must be positive.', 'amount')
  const left = invoice.total - invoice.pre_payment_credit_notes_amount - invoice.post_payment_credit_notes_amount
  if (total > left)
    throw refuse(
      `The sum of credit amount, refund amount and out of band amount ($${(total / 100).toFixed(2)}) exceeds the amount that can be credited ($${(left / 100).toFixed(2)}).`,
      'amount',
    )
  const isPaid = invoice.status === 'paid'
  if (isPaid) checkSplit(params, total)
  const customer = account.getCustomer(idOf(invoice.customer))
  const id = account.newId('cn')
  const before = snapshotOf(invoice)
  const refunds = isPaid ? returnMoney(account, invoice, params) : []
  const credit = isPaid ? (params.credit_amount ?? 0) : 0
  const transaction =
    credit > 0 ? changeBalance(account, customer, -credit, { type: 'credit_note', creditNote: id }) : undefined
  const sequence = account.tables.creditNotes.list((note) => note.invoice === invoice.id).length + 1
  const note: Stripe.CreditNote = {
    id,
    object: 'credit_note',
    amount: total,
    amount_shipping: 0,
    created: account.now(customer.test_clock),
    currency: invoice.currency,
    customer: customer.id,
    customer_account: null,
    customer_balance_transaction: transaction?.id ?? null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: params.effective_at ?? account.now(customer.test_clock),
    invoice: invoice.id,
    lines: listOf(lines, `/v1/credit_notes/${id}/lines`),
    livemode: false,
    memo: params.memo ?? null,
    metadata: mergeMetadata({}, params.metadata),
    number: `${invoice.number}-CN-${String(sequence).padStart(2, '0')}`,
    out_of_band_amount: params.out_of_band_amount ?? null,
    pdf: `${account.baseUrl()}/credit_notes/${account.id}/${id}/pdf`,
    post_payment_amount: isPaid ? total : 0,
    pre_payment_amount: isPaid ? 0 : total,
    pretax_credit_amounts: [],
    reason: params.reason ?? null,
    refunds,
    shipping_cost: null,
    status: 'issued',
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    total_taxes: [],
    type: isPaid ? 'post_payment' : 'pre_payment',
    voided_at: null,
  }
  account.tables.creditNotes.add(note)
  account.emit('credit_note.created', note)
  if (isPaid) invoice.post_payment_credit_notes_amount += total
  else lowerDue(account, invoice, total)
  account.emit('invoice.updated', invoice, before)
  return note
}

function readLines(
  account: Account,
  invoice: Stripe.Invoice,
  params: Stripe.CreditNoteCreateParams,
): Stripe.CreditNoteLineItem[] {
  const { amount, lines } = params
  if (lines === undefined) {
    const whole = amount ?? sumOfSplit(params)
    return [createNoteLine(account, { amount: whole, description: `Credit for invoice ${invoice.number}` })]
  }
  if (amount !== undefined)
    throw refuse('You may only specify one of these parameters: amount, lines.', 'amount', 'parameters_exclusive')
  return lines.map((line, place) => {
    const param = `lines[${place}]`
    if (line.tax_rates || line.tax_amounts) throw notImplemented(`${param}[tax_rates]`)
    if (line.type === 'custom_line_item')
      return createNoteLine(account, {
        amount: (line.unit_amount ?? 0) * (line.quantity ?? 1),
        description: line.description ?? null,
      })
    const found = invoice.lines.data.find(({ id }) => id === line.invoice_line_item)
    if (!found)
      throw refuse(
        `No such invoice line item: '${line.invoice_line_item}'`,
        `${param}[invoice_line_item]`,
        'resource_missing',
      )
    return createNoteLine(account, {
      amount: line.amount ?? found.amount,
      description: found.description,
      of: found.id,
    })
  })
}

function createNoteLine(
  account: Account,
  { amount, description, of }: { amount: number; description: string | null; of?: string },
): Stripe.CreditNoteLineItem {
  return {
    id: account.newId('cnli'),
    object: 'credit_note_line_item',
    amount,
    description,
    discount_amount: 0,
    discount_amounts: [],
    ...(of !== undefined && { invoice_line_item: of }),
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    quantity: null,
    tax_rates: [],
    taxes: [],
    type: of === undefined ? 'custom_line_item' : 'invoice_line_item',
    unit_amount: null,
    unit_amount_decimal: null,
  }
}

function sumOfSplit(params: Stripe.CreditNoteCreateParams): number {
  const refunded = sum((params.refunds ?? []).map((each) => each.amount_refunded ?? 0))
  return (params.refund_amount ?? 0) + refunded + (params.credit_amount ?? 0) + (params.out_of_band_amount ?? 0)
}

/** A paid invoice's credit is split into refunds, balance and payments elsewhere. */
function checkSplit(params: Stripe.CreditNoteCreateParams, total: number): void {
  const split = sumOfSplit(params)
  if (split !== total)
    throw refuse(
      `The sum of credit_amount, refund_amount and out_of_band_amount ($${(split / 100).toFixed(2)}) must equal the post payment amount ($${(total / 100).toFixed(2)}).`,
      'refund_amount',
    )
}

function returnMoney(
  account: Account,
  invoice: Stripe.Invoice,
  params: Stripe.CreditNoteCreateParams,
): Stripe.CreditNote.Refund[] {
  const show = (refund: Stripe.Refund, amount: number): Stripe.CreditNote.Refund => ({
    amount_refunded: amount,
    payment_record_refund: null,
    refund: refund.id,
    type: 'refund',
  })
  const linked = (params.refunds ?? []).map((each, place) => {
    const refund = account.tables.refunds.get(each.refund ?? '', `refunds[${place}][refund]`)
    return show(refund, each.amount_refunded ?? refund.amount)
  })
  if (!params.refund_amount) return linked
  const intent = findPaymentOf(account, invoice.id)?.intent
  if (!intent) throw refuse('This invoice has no payment to refund.', 'refund_amount')
  const refund = createRefund(account, { payment_intent: intent.id, amount: params.refund_amount })
  return [...linked, show(refund, refund.amount)]
}

function lowerDue(account: Account, invoice: Stripe.Invoice, amount: number): void {
  invoice.pre_payment_credit_notes_amount += amount
  invoice.amount_due -= amount
  invoice.amount_remaining -= amount
  const found = findPaymentOf(account, invoice.id)
  if (!found) return
  found.intent.amount = invoice.amount_due
  found.payment.amount_requested = invoice.amount_due
}
