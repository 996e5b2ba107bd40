/* The lines of invoices, with their discounts and taxes, and the sums. */
import Stripe from 'stripe'
import { type Account, idOf } from './account.ts'
import { findTaxRule } from './tax.ts'

interface LineFacts {
  readonly amount: number
  readonly description: string
  readonly period: Stripe.InvoiceLineItem.Period
  readonly price: Stripe.Price
  readonly quantity: number
  readonly subscription: string
  readonly item: string
  /** Set for prorations; the lines that a credit takes back. */
  readonly proration?: { readonly credits?: Stripe.InvoiceLineItem }
}

/** A line without discounts and taxes, of no invoice yet. */
export function createLine(account: Account, facts: LineFacts): Stripe.InvoiceLineItem {
  const { amount, price, quantity, proration } = facts
  const credited = proration?.credits
  return {
    id: account.newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: facts.description,
    discount_amounts: [],
    // A credit returns the discounted price.
    discountable: amount >= 0,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? account.newId('ii') : null,
        proration: proration !== undefined,
        proration_details: proration
          ? { credited_items: credited ? { invoice: credited.invoice ?? '', invoice_line_items: [credited.id] } : null }
          : null,
        subscription: facts.subscription,
        subscription_item: facts.item,
      },
      type: 'subscription_item_details',
    },
    period: facts.period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: idOf(price.product) },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: Stripe.Decimal.from(quantity),
    subscription: facts.subscription,
    subtotal: amount,
    taxes: [],
  }
}

/** What a line costs after its discounts, before tax. */
export function netOf(line: Stripe.InvoiceLineItem): number {
  return line.amount - sum((line.discount_amounts ?? []).map(({ amount }) => amount))
}

interface Sums {
  readonly subtotal: number
  readonly discounts: Stripe.Invoice.TotalDiscountAmount[]
  readonly taxes: Stripe.Invoice.TotalTax[]
  readonly totalExcludingTax: number
  readonly total: number
}

/** Gives the lines their discounts and taxes, and adds them up. */
export function sumLines(
  account: Account,
  lines: readonly Stripe.InvoiceLineItem[],
  given: {
    readonly discounts: readonly Stripe.Discount[]
    readonly customer: Stripe.Customer
    readonly hasTax: boolean
  },
): Sums {
  for (const line of lines) line.discount_amounts = []
  const discounts = given.discounts.map((discount) => ({
    amount: applyDiscount(account, discount, lines),
    discount: discount.id,
  }))
  const rule = given.hasTax ? findTaxRule(account, given.customer) : undefined
  for (const line of lines) {
    const taxable = netOf(line)
    line.taxes = rule
      ? [
          {
            amount: Math.round((taxable * rule.percent) / 100),
            tax_behavior: 'exclusive',
            tax_rate_details: { tax_rate: rule.rateId },
            taxability_reason: rule.reason,
            taxable_amount: rule.percent === 0 ? 0 : taxable,
            type: 'tax_rate_details',
          },
        ]
      : []
  }
  const [first] = lines.flatMap(({ taxes }) => taxes ?? [])
  const all = lines.flatMap(({ taxes }) => taxes ?? [])
  const taxes = first
    ? [
        {
          ...first,
          amount: sum(all.map(({ amount }) => amount)),
          taxable_amount: sum(all.map((each) => each.taxable_amount ?? 0)),
        },
      ]
    : []
  const subtotal = sum(lines.map(({ amount }) => amount))
  const totalExcludingTax = subtotal - sum(discounts.map(({ amount }) => amount))
  return {
    subtotal,
    discounts,
    taxes,
    totalExcludingTax,
    total: totalExcludingTax + sum(taxes.map(({ amount }) => amount)),
  }
}

function applyDiscount(account: Account, discount: Stripe.Discount, lines: readonly Stripe.InvoiceLineItem[]): number {
  const { source } = discount
  const coupon = typeof source.coupon === 'object' ? source.coupon : account.discountCoupons.get(discount.id)
  if (!coupon) return 0
  const products = account.couponProducts.get(coupon.id)
  let left = coupon.amount_off ?? Number.POSITIVE_INFINITY
  let total = 0
  for (const line of lines) {
    const product = line.pricing?.price_details?.product ?? ''
    if (!line.discountable || (products && !products.includes(product))) continue
    const net = netOf(line)
    const amount = Math.min(
      coupon.percent_off === null ? left : Math.round((net * coupon.percent_off) / 100),
      net,
      left,
    )
    if (amount <= 0) continue
    line.discount_amounts = [...(line.discount_amounts ?? []), { amount, discount: discount.id }]
    left -= amount
    total += amount
  }
  return total
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
