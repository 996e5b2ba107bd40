import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Billing } from '#contract/billing.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { addMember, type BuiltUser, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { cardForm, startTestStripe, submitPage, type TestStripe } from '#server/testing/stripe.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

/* From choosing a plan to having it: over two servers of one instance, which share nothing but the database. */

let stripe: TestStripe
let database: Required<TestDatabase>
let server: TestServer
let second: TestServer
let owner: BuiltUser
let token: string
let organizationId: string
let growth: string

/** Of all servers: a session of one is a session of the others. */
let settings: Record<string, string>

beforeAll(async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'shared', alg: 'ES256', key_ops: ['sign', 'verify'] }
  settings = {
    API_RATE_PER_MINUTE: '100000',
    GOTRUE_JWT_KEYS: JSON.stringify([key]),
    APP_URL: 'http://earshot.example',
  }
  stripe = await startTestStripe({ port: await findFreePort() })
  database = await createTestDatabase()
  server = await startTestServer({ ...settings, ...stripe.env }, database)
  second = await startTestServer({ ...settings, ...withoutPort() }, database)
})
afterAll(async () => {
  await second?.stop()
  await server?.stop()
  await stripe?.stop()
  await database?.drop()
})
/** For servers beside the one to which events are sent. */
const withoutPort = () => Object.fromEntries(Object.entries(stripe.env).filter(([name]) => name !== 'PORT'))
beforeEach(async () => {
  owner = await createUser(server.client, { organizationName: 'Northwind' })
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  growth = await findPlanId('growth')
})

async function findPlanId(key: string): Promise<string> {
  const { rows } = await server.client.query<{ id: string }>('select id from plans where key = $1', [key])
  return rows[0]?.id ?? ''
}

interface Answer {
  readonly status: number
  // Tests read what they expect of it.
  // biome-ignore lint/suspicious/noExplicitAny: answers of many routes
  readonly body: any
  readonly headers: Headers
}

async function call(path: string, options: { method?: string; body?: unknown; token?: string } = {}, at = server) {
  const reply = await at.call(`/api/v1/organizations/${organizationId}/billing${path}`, { token, ...options })
  return { status: reply.status, body: await reply.json(), headers: reply.headers } as Answer
}

const choose = (change: object = {}, at = server, as = token) =>
  call('/checkout', { body: { planId: growth, interval: 'month', ui: 'hosted', ...change }, token: as }, at)
const refresh = async () => (await call('/refresh', { method: 'POST' })).body as Billing
const listCustomers = async () =>
  (await stripe.sdk.customers.list({ email: owner.email, limit: 100 })).data.map(({ id }) => id)

describe('a checkout', () => {
  it('leads to Stripe’s page and back, where the plan is active without waiting for an event', async () => {
    stripe.double.webhooks.switches.drop = () => true
    const { status, body } = await choose()
    expect(status).toBe(201)
    expect(body).toMatchObject({ url: expect.stringContaining(stripe.double.url), clientSecret: null })
    const { location } = await submitPage(body.url, cardForm())
    expect(location).toMatch(/\/dashboard\/settings\/billing\?checkout=done$/)
    expect(await refresh()).toMatchObject({
      subscription: { plan: { key: 'growth' }, interval: 'month', cents: 4900, currency: 'usd', cancelAt: null },
      owed: null,
      withdrawableUntil: null,
    })
    const { items } = (await call('/invoices')).body
    expect(items).toEqual([
      expect.objectContaining({ status: 'paid', totalCents: 4900, refundedCents: 0, pdfUrl: expect.any(String) }),
    ])
    const upcoming = (await call('/upcoming')).body
    expect(upcoming).toMatchObject({
      nextInvoice: { cents: 4900, currency: 'usd' },
      paymentMethod: { type: 'card', brand: 'visa', last4: '4242', expiresMonth: 12, expiresYear: expect.any(Number) },
      customer: { email: owner.email },
    })
    stripe.double.webhooks.switches.drop = () => false
  })

  it('of one organisation is one, however many press at once: one customer, one open checkout, one subscription', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => choose({}, index % 2 === 0 ? server : second)),
    )
    // Whose turn does not come in time is told so; none is charged.
    const served = answers.filter(({ status }) => status === 201)
    expect(served.length).toBeGreaterThan(0)
    for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe('payments_unavailable')
    const urls = new Set(served.map(({ body }) => String(body.url)))
    expect(urls.size).toBe(1)
    const customers = await listCustomers()
    expect(customers).toHaveLength(1)
    const [customer = ''] = customers
    const pays = await Promise.all([...urls, ...urls].map((url) => submitPage(url, cardForm())))
    expect(pays.filter(({ location }) => location !== null)).toHaveLength(1)
    const { data } = await stripe.sdk.subscriptions.list({ customer, status: 'all' })
    expect(data).toHaveLength(1)
  })

  it('closes an earlier one of another plan, so that two owners can’t pay for two', async () => {
    const colleague = await createUser(server.client)
    await addMember(server.client, { organizationId, userId: colleague.id, role: 'owner' })
    const first = await choose()
    const other = await choose(
      { planId: await findPlanId('business'), interval: 'year' },
      second,
      await server.signIn(colleague),
    )
    expect(other.body.url).not.toBe(first.body.url)
    expect((await submitPage(first.body.url, cardForm())).location).toBeNull()
    expect((await submitPage(other.body.url, cardForm())).location).not.toBeNull()
    expect(await refresh()).toMatchObject({
      subscription: { plan: { key: 'business' }, interval: 'year', cents: 129_000 },
    })
    const again = await choose()
    expect([again.status, again.body.code]).toEqual([409, 'already_subscribed'])
  })

  it('is completed although the owner who began it has left', async () => {
    const { body } = await choose()
    const colleague = await createUser(server.client)
    await addMember(server.client, { organizationId, userId: colleague.id, role: 'owner' })
    await server.client.query('delete from memberships where organization_id = $1 and user_id = $2', [
      organizationId,
      owner.id,
    ])
    await submitPage(body.url, cardForm())
    token = await server.signIn(colleague)
    expect(await refresh()).toMatchObject({ subscription: { plan: { key: 'growth' } } })
  })

  it('takes a promotion code, embeds where asked, and never leads to another website', async () => {
    const coupon = await stripe.sdk.coupons.create({ percent_off: 50, duration: 'once' })
    await stripe.sdk.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'HALF' })
    const { body } = await choose({ promotionCode: ' half ', ui: 'embedded', success_url: 'https://evil.example' })
    expect(body.fields?.[0]?.path).toBe('body.success_url')
    const embedded = await choose({ promotionCode: ' half ', ui: 'embedded' })
    expect(embedded.body).toEqual({ url: null, clientSecret: expect.any(String) })
    const [session] = (
      await stripe.sdk.checkout.sessions.list({ customer: (await listCustomers())[0] ?? '', status: 'open' })
    ).data
    expect(session).toMatchObject({ amount_total: 2450, adaptive_pricing: { enabled: false } })
    expect(new URL(session?.return_url ?? '').origin).toBe('http://earshot.example')
    await choose({ promotionCode: ' half ' })
    const [hosted] = (
      await stripe.sdk.checkout.sessions.list({ customer: (await listCustomers())[0] ?? '', status: 'open' })
    ).data
    // Someone who goes back keeps the code.
    expect(hosted?.cancel_url).toBe('http://earshot.example/plan-selection?code=+half+')
    const unknown = await choose({ promotionCode: 'NONE' })
    expect([unknown.status, unknown.body.code]).toEqual([422, 'promotion_code_invalid'])
  })

  it.each([
    [{ planId: '0190b5a0-0000-7000-8000-000000000001' }, 404, 'plan_not_found', undefined],
    [{ planId: 'growth' }, 400, 'validation_failed', 'body.planId'],
    [{ interval: 'week' }, 400, 'validation_failed', 'body.interval'],
    [{ quantity: -1 }, 400, 'validation_failed', 'body.quantity'],
    [{ currency: 'eur' }, 400, 'validation_failed', 'body.currency'],
    [{ ui: 'popup' }, 400, 'validation_failed', 'body.ui'],
    [{ promotionCode: '' }, 400, 'validation_failed', 'body.promotionCode'],
  ])('refuses %j', async (change, status, code, path) => {
    const answer = await choose(change)
    expect([answer.status, answer.body.code, answer.body.fields?.[0]?.path]).toEqual([status, code, path])
    expect(await listCustomers()).toEqual([])
  })

  it('is not offered for a retired plan, which those who have it keep', async () => {
    const { rows } = await server.client.query<{ id: string }>(
      `insert into plans (key, name, monthly_cents, yearly_cents, retired_at)
       values ('old-' || gen_random_uuid(), 'Old', 500, 5000, now()) returning id`,
    )
    expect((await choose({ planId: rows[0]?.id })).body.code).toBe('plan_not_found')
  })

  it('makes a new customer when Stripe’s was deleted', async () => {
    await choose()
    const [customer = ''] = await listCustomers()
    await stripe.sdk.customers.del(customer)
    const { body } = await choose()
    await submitPage(body.url, cardForm())
    expect(await refresh()).toMatchObject({ subscription: { plan: { key: 'growth' } } })
  })
})

describe('settings of the operator', () => {
  const openSession = async (setting: Record<string, string>) => {
    const other = await startTestServer({ ...settings, ...withoutPort(), ...setting }, database)
    try {
      expect((await choose({}, other)).status).toBe(201)
      const [customer = ''] = await listCustomers()
      return (await stripe.sdk.checkout.sessions.list({ customer, status: 'open' })).data[0]
    } finally {
      await other.stop()
    }
  }

  it('let Stripe compute taxes, with the address and tax id that they need', async () => {
    expect(await openSession({ STRIPE_TAX: 'on' })).toMatchObject({
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
      billing_address_collection: 'required',
      managed_payments: { enabled: false },
    })
  })

  it('let Stripe sell as merchant of record, which computes taxes by itself', async () => {
    expect(await openSession({ STRIPE_MANAGED_PAYMENTS: 'on', STRIPE_TAX: 'on' })).toMatchObject({
      managed_payments: { enabled: true },
      automatic_tax: { enabled: false },
    })
  })

  it('without a secret for events refuse all of them', async () => {
    const env = Object.fromEntries(Object.entries(withoutPort()).filter(([name]) => name !== 'STRIPE_WEBHOOK_SECRET'))
    const other = await startTestServer({ ...settings, ...env }, database)
    try {
      const reply = await fetch(`${other.url}/api/v1/hooks/stripe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
        body: '{"id":"evt_1","object":"event"}',
      })
      expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([401, 'hook_signature_invalid'])
    } finally {
      await other.stop()
    }
  })
})

describe('while Stripe is down', () => {
  const expectUnavailable = async (answer: Promise<Answer>) => {
    const startedAt = performance.now()
    const { status, body, headers } = await answer
    expect([status, body.code]).toEqual([503, 'payments_unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  }
  const expectReadable = async () => {
    expect((await call('')).status).toBe(200)
    expect((await call('/invoices')).body.items).toHaveLength(1)
    const entitlements = await server.call(`/api/v1/organizations/${organizationId}/entitlements`, { token })
    expect(await entitlements.json()).toMatchObject({ status: 'active', plan: { key: 'growth' } })
  }
  beforeEach(async () => {
    await submitPage((await choose()).body.url, cardForm())
    await refresh()
  })

  it('acts answer 503 at once when it refuses connections, everything else works, and the state converges after', async () => {
    await stripe.double.unplug()
    await expectUnavailable(choose())
    await expectUnavailable(call('/cancel', { body: { reason: 'unused' } }))
    await expectUnavailable(call('/upcoming'))
    await expectReadable()
    await stripe.double.plugIn()
    const { body } = await call('/cancel', { body: { reason: 'unused' } })
    expect(body.subscription.cancelAt).toBe(body.subscription.periodEnd)
  })

  it('acts answer 503 within 10 s when it accepts connections and says nothing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    // A TCP server has an address of this form.
    const { port } = silent.address() as AddressInfo
    const cutOff = await startTestServer(
      { ...settings, ...withoutPort(), STRIPE_API_URL: `http://127.0.0.1:${port}` },
      database,
    )
    try {
      await Promise.all([
        expectUnavailable(choose({}, cutOff)),
        expectUnavailable(call('/portal', { method: 'POST' }, cutOff)),
        expectUnavailable(call('/upcoming', {}, cutOff)),
      ])
      expect((await call('', {}, cutOff)).body).toMatchObject({ subscription: { plan: { key: 'growth' } } })
    } finally {
      silent.closeAllConnections()
      silent.close()
      await cutOff.stop()
    }
  })

  it.each([500, 503, 429] as const)('acts answer 503 when it answers %s', async (status) => {
    stripe.double.faults.status = status
    await expectUnavailable(call('/reactivate', { method: 'POST' })).finally(() => {
      stripe.double.faults.status = undefined
    })
  })
})

describe('without billing', () => {
  it('nothing is bought, nothing can be, and reading says so', async () => {
    const plain = await startTestServer({ ...settings, BILLING: 'off' }, database)
    try {
      expect((await call('', {}, plain)).body).toEqual({ subscription: null, owed: null, withdrawableUntil: null })
      expect((await call('/invoices', {}, plain)).body).toEqual({ items: [], nextCursor: null })
      expect((await call('/upcoming', {}, plain)).body).toMatchObject({ nextInvoice: null, paymentMethod: null })
      for (const path of ['/portal', '/refresh', '/reactivate']) {
        expect((await call(path, { method: 'POST' }, plain)).body.code).toBe('payments_not_configured')
      }
    } finally {
      await plain.stop()
    }
  })
})
