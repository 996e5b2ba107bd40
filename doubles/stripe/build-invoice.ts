/* The contents of an invoice: customer, lines, sums, and what the balance pays. */
import type Stripe from 'stripe'
import { type Account, idOf, listOf } from './account.ts'
import { createBlankInvoice } from './blank-invoice.ts'
import { listTaxIds } from './customers.ts'
import { sumLines } from './invoice-lines.ts'

/** What an invoice is made of. */
export interface InvoiceFacts {
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
    ...createBlankInvoice(account.newId('in'), now),
    amount_due: due,
    amount_remaining: due,
    automatic_tax: {
      disabled_reason: null,
      enabled: hasTax,
      liability: hasTax ? { type: 'self' } : null,
      provider: hasTax ? 'stripe' : null,
      status: hasTax ? 'complete' : null,
    },
    billing_reason: facts.reason,
    currency: subscription.currency,
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: listTaxIds(account, customer.id).map(({ type, value }) => ({ type, value })),
    discounts: facts.discounts.map(({ id }) => id),
    lines: listOf(lines, '/v1/invoices/upcoming/lines'),
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: subscription.metadata,
        subscription: subscription.id,
        ...(facts.prorationDate !== undefined && { subscription_proration_date: facts.prorationDate }),
      },
      type: 'subscription_details',
    },
    period_end: period.end,
    period_start: period.start,
    starting_balance: customer.balance,
    subtotal: sums.subtotal,
    subtotal_excluding_tax: sums.subtotal,
    test_clock: clock,
    total: sums.total,
    total_discount_amounts: sums.discounts,
    total_excluding_tax: sums.totalExcludingTax,
    total_taxes: sums.taxes,
  }
}

/** The least that can be charged in usd; smaller amounts become a debt on the balance. */
const minChargeAmount = 50

/** A credit pays as far as it reaches; a negative total becomes a credit; a debt is added. */
export function splitBalance(total: number, balance: number): { readonly due: number; readonly change: number } {
  if (total < 0 || total + balance < minChargeAmount) return { due: 0, change: total }
  return { due: total + balance, change: -balance }
}
