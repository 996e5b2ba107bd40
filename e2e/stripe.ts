import Stripe from 'stripe'
import { findPrice } from '#server/testing/stripe.ts'
import { expect } from './product.ts'
import { changeRows } from './product-database.ts'

/** The stand-in for Stripe that the product talks to, as Stripe's own pages act on it: past the product. */
export function connectStripe(): Stripe {
  const port = process.env.EARSHOT_STRIPE_PORT ?? ''
  return new Stripe('sk_test_double', { host: '127.0.0.1', port, protocol: 'http', telemetry: false })
}

/** Subscribes an organisation by card, as a checkout does. @returns the customer's id */
export async function subscribeOrganization(
  sdk: Stripe,
  organizationId: string,
  { plan, promotionCode }: { plan: string; promotionCode?: string },
): Promise<string> {
  await changeRows(`select graphile_worker.add_job('sync_plans')`, [])
  await expect.poll(() => changeRows('select 1 from plans where stripe_yearly_price_id is null', [])).toBe(0)
  const { id } = await sdk.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  await changeRows('insert into stripe_customers (organization_id, customer_id) values ($1, $2)', [organizationId, id])
  await sdk.subscriptions.create({
    customer: id,
    items: [{ price: await findPrice({ sdk }, plan) }],
    ...(promotionCode !== undefined && { discounts: [{ promotion_code: promotionCode }] }),
  })
  return id
}
