import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { findPrice, openCustomer, startTestStripe, subscribeAtStripe, type TestStripe } from '#server/testing/stripe.ts'

/* Stripe's events, from their signature to the organisation's plan, on a server with its jobs. */

let stripe: TestStripe
let server: TestServer
let organizationId: string
let customer: string

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  server = await startTestServer({ SERVICES: 'web,worker', ...stripe.env })
  await runNow('sync_plans')
  await vi.waitFor(
    async () => expect(await query('select 1 from plans where stripe_yearly_price_id is null')).toEqual([]),
    10_000,
  )
})
afterAll(async () => {
  await server?.stop()
  await stripe?.stop()
})
beforeEach(async () => {
  organizationId = (await createUser(server.client)).organizationId ?? ''
  customer = await openCustomer(stripe, server, organizationId)
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.client.query<Row>(text, values)).rows
const runNow = (name: string) => query(`select graphile_worker.add_job($1)`, [name])
const readStatus = async () => {
  const [row] = await query<{ status: string; plan: string | null }>(
    `select o.subscription_status as status, p.key as plan from organizations o
     left join plans p on p.id = o.subscription_plan_id where o.id = $1`,
    [organizationId],
  )
  return row
}
const listEvents = async (pattern = '^(subscription|payment)') =>
  (
    await query<{ name: string }>(
      `select name from app.events where organization_id = $1 and name ~ $2 and name <> 'subscription.changed' order by id`,
      [organizationId, pattern],
    )
  ).map(({ name }) => name)

describe('events of Stripe', () => {
  it('give an organisation its plan, change it and end it, each with its events once', async () => {
    stripe.double.webhooks.switches.copies = 3
    const { id, items } = await subscribeAtStripe(stripe, customer, 'starter')
    await expect.poll(readStatus).toEqual({ status: 'active', plan: 'starter' })
    const price = await findPrice(stripe, 'growth')
    await stripe.sdk.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', price }] })
    await expect.poll(readStatus).toEqual({ status: 'active', plan: 'growth' })
    await stripe.sdk.subscriptions.update(id, {
      cancel_at_period_end: true,
      cancellation_details: { comment: 'Too expensive' },
    })
    await expect.poll(() => listEvents('cancelled')).toEqual(['subscription.cancelled'])
    await stripe.sdk.subscriptions.update(id, { cancel_at_period_end: false })
    await expect.poll(() => listEvents('reactivated')).toEqual(['subscription.reactivated'])
    const [payment] =
      (await stripe.sdk.invoices.list({ customer, expand: ['data.payments'] })).data.at(-1)?.payments?.data ?? []
    await stripe.sdk.refunds.create({ payment_intent: String(payment?.payment.payment_intent), amount: 500 })
    await expect.poll(() => listEvents('refunded')).toEqual(['payment.refunded'])
    await stripe.sdk.subscriptions.cancel(id)
    await expect.poll(readStatus).toEqual({ status: 'canceled', plan: 'growth' })
    await stripe.double.webhooks.whenIdle()
    stripe.double.webhooks.switches.copies = 1
    const names = await listEvents()
    expect(names.toSorted()).toEqual([
      'payment.refunded',
      'payment.succeeded',
      'subscription.cancelled',
      'subscription.cancelled',
      'subscription.reactivated',
      'subscription.started',
      'subscription.upgraded',
    ])
    const [started] = await query<{ payload: unknown }>(
      `select payload from app.events where organization_id = $1 and name = 'payment.succeeded'`,
      [organizationId],
    )
    expect(started?.payload).toMatchObject({
      payments: [
        {
          plan: 'Starter',
          price: 1900,
          currency: 'usd',
          interval: 'month',
          coupon: null,
          items: [{ name: 'Starter Plan', category: 'Subscription', quantity: 1, price: 1900 }],
        },
      ],
    })
  })

  it('records each event once, and counts those of types that concern nothing', async () => {
    await stripe.sdk.products.create({ name: 'Mugs' })
    await stripe.double.webhooks.whenIdle()
    const rows = await query<{ outcome: string; count: number }>(
      `select outcome, count(*) from stripe_events where type = 'product.created' group by outcome`,
    )
    expect(rows).toMatchObject([{ outcome: 'unknown_type' }])
  })
})

describe('a call that is not Stripe’s', () => {
  const body = (event: object = {}) =>
    JSON.stringify({
      id: `evt_${Math.random().toString(36).slice(2)}`,
      object: 'event',
      type: 'customer.subscription.updated',
      created: 1_700_000_000,
      livemode: false,
      data: { object: { object: 'subscription', id: 'sub_1', customer } },
      ...event,
    })
  const sign = (text: string, { secret = stripe.env.STRIPE_WEBHOOK_SECRET ?? '', age = 0 } = {}) => {
    const time = Math.floor(Date.now() / 1000) - age
    return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')}`
  }
  const post = (text: string, signature?: string) =>
    fetch(`${server.url}/api/v1/hooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(signature !== undefined && { 'stripe-signature': signature }),
      },
      body: text,
    })

  it.each([
    ['without a signature', () => undefined],
    ['with another account’s secret', (text: string) => sign(text, { secret: 'whsec_other' })],
    ['of another body', (text: string) => sign(`${text} `)],
    ['signed 301 s ago', (text: string) => sign(text, { age: 302 })],
    ['with a signature of another scheme', (text: string) => sign(text).replace('v1=', 'v0=')],
    ['with nonsense', () => 't=,v1='],
  ])('is refused %s, and changes nothing', async (_, signature) => {
    const text = body()
    const reply = await post(text, signature(text))
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({ code: 'hook_signature_invalid' })
    const { id } = JSON.parse(text) as { id: string }
    expect(await query('select 1 from stripe_events where id = $1', [id])).toEqual([])
  })

  it.each([
    ['a connected account', { account: 'acct_other' }, 'foreign'],
    ['the live mode', { livemode: true }, 'foreign'],
    [
      'an unknown customer',
      { data: { object: { object: 'subscription', customer: 'cus_other' } } },
      'unknown_customer',
    ],
  ])('is noted and has no effect from %s', async (_, change, outcome) => {
    const text = body(change)
    expect((await post(text, sign(text))).status).toBe(200)
    const { id } = JSON.parse(text) as { id: string }
    expect(await query('select outcome from stripe_events where id = $1', [id])).toEqual([{ outcome }])
    expect(await readStatus()).toMatchObject({ status: 'trialing' })
  })
})
