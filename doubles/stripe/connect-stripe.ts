import Stripe from 'stripe'
import type { StripeDouble } from './stripe.ts'

/** The SDK, connected as the product connects it: only the host differs. */
export function connectStripe({ host, port, protocol, secretKey }: StripeDouble, key = secretKey): Stripe {
  return new Stripe(key, { host, port, protocol, maxNetworkRetries: 0, telemetry: false })
}

/** A product with a monthly, a yearly and a larger monthly price in usd. */
export async function createPlans(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Starter' })
  const larger = await stripe.products.create({ name: 'Growth' })
  const create = (of: string, amount: number, interval: 'month' | 'year') =>
    stripe.prices.create({ product: of, currency: 'usd', unit_amount: amount, recurring: { interval } })
  return {
    product: product.id,
    monthly: (await create(product.id, 1900, 'month')).id,
    yearly: (await create(product.id, 19_000, 'year')).id,
    larger: (await create(larger.id, 4900, 'month')).id,
  }
}

/** A customer with a card, on a test clock that starts on 1 January 2026. */
export async function createCustomerOnClock(stripe: Stripe, card = 'pm_card_visa') {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: january })
  const customer = await stripe.customers.create({
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    test_clock: clock.id,
    payment_method: card,
  })
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method?.id ?? '' } })
  const advanceTo = async (day: number) => {
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: january + day * 86_400 })
  }
  return { customer: customer.id, clock: clock.id, advanceTo }
}

/** 1 January 2026, in seconds since 1970. */
export const january = Date.UTC(2026, 0, 1) / 1000
