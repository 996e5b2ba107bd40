/*
 * Tax as Stripe Tax would calculate it, in a reduced form: the seller is registered in the countries of the settings; the
 * price excludes tax; a business of another country of the European Union pays none (reverse charge).
 */
import type Stripe from 'stripe'
import type { Account } from './account.ts'
import { listTaxIds } from './customers.ts'
import { refuse } from './refusal.ts'

interface TaxRule {
  readonly percent: number
  readonly reason: Stripe.InvoiceLineItem.Tax.TaxabilityReason
  readonly rateId: string
}

/** Which tax a customer pays; undefined without a country. */
export function findTaxRule(account: Account, customer: Stripe.Customer): TaxRule | undefined {
  const country = customer.address?.country
  if (!country) return undefined
  const percent = account.tax?.percents[country]
  const rateId = `txr_${country.toLowerCase()}`
  if (customer.tax_exempt === 'exempt') return { percent: 0, reason: 'customer_exempt', rateId }
  const isBusiness = listTaxIds(account, customer.id).some(({ type }) => type === 'eu_vat')
  const isReversed = customer.tax_exempt === 'reverse' || (isBusiness && country !== account.tax?.country)
  if (percent === undefined) return { percent: 0, reason: 'not_collecting', rateId }
  if (isReversed) return { percent: 0, reason: 'reverse_charge', rateId }
  return { percent, reason: 'standard_rated', rateId }
}

/** @throws StripeRefusal when automatic tax lacks the customer's country */
export function requireTaxLocation(account: Account, customer: Stripe.Customer, param: string): void {
  if (findTaxRule(account, customer)) return
  const message = `The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.`
  throw refuse(message, param, 'customer_tax_location_invalid')
}
