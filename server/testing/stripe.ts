import Stripe from 'stripe'
import { type StripeDouble, startStripeDouble } from '#doubles/stripe/stripe.ts'
import { type BuiltUser, createUser } from './builders.ts'
import type { TestServer } from './server.ts'

/** A Stripe of its own, and the settings that lead a server to it. */
export interface TestStripe {
  readonly double: StripeDouble
  /** As an operator or a customer of Stripe's pages acts: past the product. */
  readonly sdk: Stripe
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** @param port of the server, where events are sent */
export async function startTestStripe({ port }: { port: number }): Promise<TestStripe> {
  const double = await startStripeDouble({ webhookUrl: `http://127.0.0.1:${port}/api/v1/hooks/stripe` })
  const { host, protocol, secretKey, webhookSecret, url } = double
  return {
    double,
    sdk: new Stripe(secretKey, { host, port: double.port, protocol, telemetry: false }),
    env: {
      PORT: String(port),
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: url,
    },
    stop: () => double.stop(),
  }
}

/** Gives an organisation a customer with a card that pays, as its first checkout does. @returns the customer's id */
export async function openCustomer(
  { sdk }: Pick<TestStripe, 'sdk'>,
  { client }: Pick<TestServer, 'client'>,
  organizationId: string,
  options: { testClock?: string; card?: string } = {},
): Promise<string> {
  const { id } = await sdk.customers.create({
    payment_method: options.card ?? 'pm_card_visa',
    invoice_settings: { default_payment_method: options.card ?? 'pm_card_visa' },
    ...(options.testClock !== undefined && { test_clock: options.testClock }),
  })
  await client.query('insert into stripe_customers (organization_id, customer_id) values ($1, $2)', [
    organizationId,
    id,
  ])
  return id
}

/** Subscribes past the product. The plans must have been synced. */
export async function subscribeAtStripe(
  { sdk }: Pick<TestStripe, 'sdk'>,
  customer: string,
  key: string,
  interval: 'month' | 'year' = 'month',
): Promise<Stripe.Subscription> {
  return sdk.subscriptions.create({ customer, items: [{ price: await findPrice({ sdk }, key, interval) }] })
}

/** The current price of a plan. */
export async function findPrice({ sdk }: Pick<TestStripe, 'sdk'>, key: string, interval = 'month'): Promise<string> {
  const { data } = await sdk.prices.list({ lookup_keys: [`earshot_${key}_${interval}`] })
  if (!data[0]) throw new Error(`no price of ${key} by the ${interval}`)
  return data[0].id
}

/** Fills in Stripe's page, as a browser does. @returns where it leads, and what it says is wrong */
export async function submitPage(
  url: string | null,
  form: Readonly<Record<string, string>>,
): Promise<{ location: string | null; alert: string }> {
  const response = await fetch(url ?? '', { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  const [, alert = ''] = /role="alert">([^<]*)</.exec(await response.text()) ?? []
  return { location: response.headers.get('location'), alert }
}

/** Typed into Stripe's pages for a card. */
export const cardForm = (number = '4242 4242 4242 4242') => ({ card: number, expiry: '12 / 34', cvc: '123' })

/** An organisation with an owner who calls `/api/v1/organizations/{id}/billing`. */
export interface BilledTenant {
  readonly owner: BuiltUser
  readonly organizationId: string
  /** Calls a path under `/billing`. */
  call(path: string, options?: { method?: string; body?: unknown }): Promise<Answer>
  /** Pays for a plan at Stripe’s page, and returns to Earshot. */
  subscribe(key: string): Promise<void>
}

interface Answer {
  readonly status: number
  // Tests compare it with what they expect.
  readonly json: ReturnType<typeof JSON.parse>
}

/** Builds an organisation whose owner is signed in. */
export async function createBilledTenant(server: TestServer): Promise<BilledTenant> {
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  const token = await server.signIn(owner)
  const call: BilledTenant['call'] = async (path, options) => {
    const reply = await server.call(`/api/v1/organizations/${organizationId}/billing${path}`, { token, ...options })
    return { status: reply.status, json: await reply.json() }
  }
  return {
    ...{ owner, organizationId, call },
    subscribe: async (key) => {
      const { rows } = await server.client.query<{ id: string }>('select id from plans where key = $1', [key])
      const { json } = await call('/checkout', { body: { planId: rows[0]?.id, interval: 'month', ui: 'hosted' } })
      await submitPage(json.url, cardForm())
      await call('/refresh', { method: 'POST' })
    },
  }
}
