import { describe, expect, it } from 'vitest'
import type { Invoice, OwedPayment } from '#contract/billing.ts'
import { describeInvoice, describeMethod, describeOwed } from './describe-payment.ts'

const card = { type: 'card', brand: 'visa', last4: '4242', expiresMonth: 3, expiresYear: 2034 }

it('names a payment method', () => {
  expect(describeMethod(card)).toBe('Visa ending in 4242, expires 03/2034')
  expect(describeMethod({ ...card, brand: 'eftpos' })).toBe('eftpos ending in 4242, expires 03/2034')
  expect(
    describeMethod({ type: 'sepa_debit', brand: null, last4: '3000', expiresMonth: null, expiresYear: null }),
  ).toBe('Sepa debit ending in 3000')
})

describe('an invoice that could not be collected', () => {
  const owed: OwedPayment = {
    invoiceId: 'in_1',
    cents: 4900,
    currency: 'usd',
    state: 'failed',
    error: 'Your card was declined.',
    nextAttemptAt: '2031-05-01T00:00:00.000Z',
    pageUrl: null,
  }
  const read = (change: Partial<OwedPayment>) => describeOwed({ ...owed, ...change }, (instant) => instant.slice(0, 10))

  it('says the bank’s reason and when it is tried again', () => {
    expect(read({})).toEqual({
      title: 'The last payment failed',
      text: '$49 could not be collected. Your card was declined. We try again on 2031-05-01.',
      action: 'Pay now',
    })
    expect(read({ nextAttemptAt: null }).text).toContain('Pay it to keep your plan.')
  })

  it('asks to confirm a payment where the bank does', () => {
    expect(read({ state: 'action_required', error: null })).toMatchObject({
      text: 'Your bank asks you to confirm the payment of $49. We try again on 2031-05-01.',
      action: 'Confirm payment',
    })
  })
})

it.each<[Partial<Invoice>, string]>([
  [{}, 'Paid'],
  [{ status: 'open' }, 'Open'],
  [{ refundedCents: 500 }, 'Paid, $5 refunded'],
  [{ refundedCents: 4900 }, 'Refunded'],
  [{ totalCents: 0 }, 'Paid'],
])('says of an invoice with %j: %s', (change, word) => {
  const invoice: Invoice = {
    id: 'in_1',
    number: 'A-1',
    status: 'paid',
    totalCents: 4900,
    taxCents: 0,
    refundedCents: 0,
    currency: 'usd',
    createdAt: '2031-05-01T00:00:00.000Z',
    paidAt: null,
    pageUrl: null,
    pdfUrl: null,
  }
  expect(describeInvoice({ ...invoice, ...change }).word).toBe(word)
})
