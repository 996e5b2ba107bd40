import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Coupon } from '#contract/coupons.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { createUser } from '#server/testing/builders.ts'
import { readCsv } from '#server/testing/read-csv.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { startTestStripe, type TestStripe } from '#server/testing/stripe.ts'

/* Coupons over HTTP, at the real SDK and Stripe's double. */

let stripe: TestStripe
let server: TestServer
let token: string

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000', ...stripe.env })
  token = await server.signIn(await createUser(server.client, { fullName: 'Sam Super' }))
})
afterAll(async () => {
  await server?.stop()
  await stripe?.stop()
})

const call = (path: string, options: { method?: string; body?: unknown } = {}) =>
  server.call(`/api/v1/superadmin/coupons${path}`, { token, ...options })
const list = async () => ((await (await call('')).json()) as { items: Coupon[] }).items
const newCoupon = (change: object = {}) => ({
  id: randomUUID(),
  code: `SPRING-${randomUUID().slice(0, 8)}`,
  percentOff: 20,
  amountOffCents: null,
  duration: 'repeating',
  months: 3,
  maxRedemptions: 2,
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  ...change,
})
async function create(change: object = {}): Promise<Coupon> {
  const reply = await call('', { body: newCoupon(change) })
  const text = await reply.text()
  expect(reply.status, text).toBe(201)
  return JSON.parse(text) as Coupon
}
const refusal = async (change: object) => {
  const reply = await call('', { body: newCoupon(change) })
  const { code, fields } = (await reply.json()) as { code: string; fields?: { path: string }[] }
  return [reply.status, code, ...(fields ?? []).map(({ path }) => path)]
}
/** Subscribes with a code, as a checkout does. */
async function redeem({ id }: Coupon): Promise<void> {
  const { sdk } = stripe
  const customer = await sdk.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const product = await sdk.products.create({ name: 'Growth' })
  const price = await sdk.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 4900,
    recurring: { interval: 'month' },
  })
  await sdk.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    discounts: [{ promotion_code: id }],
  })
}

describe('coupons', () => {
  it('are created with percentage or amount, and listed with their use until it is up', async () => {
    const percent = await create()
    expect(percent).toMatchObject({ percentOff: 20, months: 3, maxRedemptions: 2, redemptions: 0, state: 'active' })
    const amount = await create({
      percentOff: null,
      amountOffCents: 500,
      duration: 'once',
      months: null,
      maxRedemptions: null,
      expiresAt: null,
    })
    expect(amount).toMatchObject({ amountOffCents: 500, currency: 'usd', duration: 'once', expiresAt: null })
    await redeem(percent)
    const find = async () => (await list()).find(({ id }) => id === percent.id)
    expect(await find()).toMatchObject({ redemptions: 1, state: 'active' })
    await redeem(percent)
    expect(await find()).toMatchObject({ redemptions: 2, state: 'used_up' })
    expect((await list()).map(({ id }) => id).slice(0, 2)).toEqual([amount.id, percent.id])
  })

  it('are searched, sorted and paged, and downloaded as they are listed, which the audit log records', async () => {
    const mark = randomUUID().slice(0, 8)
    const made: Coupon[] = []
    for (const name of ['A', 'B', 'C']) made.push(await create({ code: `${name}-${mark}`, maxRedemptions: null }))
    const [first, , last] = made
    if (!first || !last) throw new Error('three were made')
    await redeem(first)
    await call(`/${last.id}/deactivation`, { method: 'POST' })
    const find = async (query: string) =>
      (await (await call(`?search=${mark.toUpperCase()}&${query}`)).json()) as {
        items: Coupon[]
        nextCursor: string | null
      }
    const names = async (query: string) => (await find(query)).items.map(({ code }) => code[0]).join('')
    expect(await names('')).toBe('CBA')
    expect(await names('order=oldest')).toBe('ABC')
    expect((await names('order=redemptions'))[0]).toBe('A')
    expect(await names('state=deactivated')).toBe('C')
    for (const order of ['latest', 'oldest', 'redemptions']) {
      const page = await find(`order=${order}&limit=2`)
      expect([order, page.items.length]).toEqual([order, 2])
      const rest = await find(`order=${order}&limit=2&cursor=${page.nextCursor}`)
      const seen = [...page.items, ...rest.items].map(({ id }) => id)
      expect([order, new Set(seen), rest.nextCursor]).toEqual([order, new Set(made.map(({ id }) => id)), null])
      const reply = await call(`?order=${order}&cursor=promo_none`)
      expect([reply.status, ((await reply.json()) as { fields: { path: string }[] }).fields[0]?.path]).toEqual([
        400,
        'query.cursor',
      ])
    }
    const rows = await readCsv(await call('/exports', { body: { search: mark, order: 'oldest' } }))
    expect(rows.map(({ code, redemptions, state }) => [code?.[0], redemptions, state])).toEqual([
      ['A', '1', 'active'],
      ['B', '0', 'active'],
      ['C', '0', 'deactivated'],
    ])
    const entries = await server.client.query(
      `select actor_name, target_name, after from audit_log where action = 'list.exported'`,
    )
    expect(entries.rows).toEqual([
      { actor_name: 'Sam Super', target_name: 'Coupons', after: { filters: ['search', 'order'] } },
    ])
  })

  it('are deactivated, and their code can be used again', async () => {
    const { id, code } = await create()
    expect(await refusal({ code: code.toLowerCase() })).toEqual([409, 'coupon_code_taken'])
    const reply = await call(`/${id}/deactivation`, { method: 'POST' })
    expect(await reply.json()).toMatchObject({ id, state: 'deactivated' })
    expect((await create({ code })).state).toBe('active')
    expect((await call('/promo_none/deactivation', { method: 'POST' })).status).toBe(404)
    const { rows } = await server.client.query(
      `select action, actor_kind, actor_name from audit_log where target_name = $1 order by id`,
      [code],
    )
    const sam = { actor_kind: 'superadmin', actor_name: 'Sam Super' }
    expect(rows).toEqual([
      { action: 'coupon.created', ...sam },
      { action: 'coupon.deactivated', ...sam },
      { action: 'coupon.created', ...sam },
    ])
  })

  it('are made once for each id, also when the answer was lost', async () => {
    const body = newCoupon()
    stripe.double.faults.lostAnswers = 3
    expect((await call('', { body })).status).toBe(503)
    stripe.double.faults.lostAnswers = 0
    const replies = [await call('', { body }), await call('', { body })]
    const [one, two] = (await Promise.all(replies.map((reply) => reply.json()))) as Coupon[]
    expect(one?.id).toBe(two?.id)
    expect((await list()).filter(({ code }) => code === body.code)).toHaveLength(1)
    expect(await refusal({ ...body, percentOff: 30 })).toEqual([422, 'id_reused'])
  })

  it.each([
    [{ percentOff: null }, 'body.percentOff'],
    [{ amountOffCents: 100 }, 'body.amountOffCents'],
    [{ percentOff: 101 }, 'body.percentOff'],
    [{ percentOff: 0 }, 'body.percentOff'],
    [{ percentOff: null, amountOffCents: -5 }, 'body.amountOffCents'],
    [{ duration: 'once' }, 'body.months'],
    [{ months: null }, 'body.months'],
    [{ maxRedemptions: 0 }, 'body.maxRedemptions'],
    [{ code: 'no spaces' }, 'body.code'],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 'body.expiresAt'],
  ])('are refused as %j, which names the field', async (change, field) => {
    expect(await refusal(change)).toEqual([400, 'validation_failed', field])
  })

  it('answer in time when Stripe is away', async () => {
    stripe.double.faults.status = 503
    expect((await call('')).status).toBe(503)
    expect(await refusal({})).toEqual([503, 'payments_unavailable'])
    expect((await call('/exports', { body: {} })).status).toBe(503)
    stripe.double.faults.status = undefined
  })
})
