import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Billing, PlanPreview } from '#contract/billing.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { type BuiltUser, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import {
  cardForm,
  findPrice,
  openCustomer,
  startTestStripe,
  submitPage,
  subscribeAtStripe,
  type TestStripe,
} from '#server/testing/stripe.ts'

/* What owners do with a plan that they have: change it, cancel it, keep it, withdraw from it, or delete the organisation. */

let stripe: TestStripe
let server: TestServer
let owner: BuiltUser
let token: string
let organizationId: string
let customer: string
let plans: Record<string, string>

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  server = await startTestServer({
    SERVICES: 'web,worker',
    API_RATE_PER_MINUTE: '100000',
    BILLING_WITHDRAWAL_DAYS: '14',
    ...stripe.env,
  })
  const { rows } = await server.client.query<{ key: string; id: string }>('select key, id from plans')
  plans = Object.fromEntries(rows.map(({ key, id }) => [key, id]))
  await server.client.query(`select graphile_worker.add_job('sync_plans')`)
  await vi.waitFor(async () => {
    expect((await server.client.query('select 1 from plans where stripe_yearly_price_id is null')).rowCount).toBe(0)
  }, 10_000)
})
afterAll(async () => {
  await server?.stop()
  await stripe?.stop()
})
beforeEach(async () => {
  owner = await createUser(server.client, { organizationName: 'Northwind' })
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  customer = await openCustomer(stripe, server, organizationId)
})

const send = async <T = Billing>(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
  const reply = await server.call(`/api/v1/organizations/${organizationId}/billing${path}`, {
    token,
    method,
    ...(body !== undefined && { body }),
  })
  // Tests state what they expect of it.
  const answer = (await reply.json()) as T & { code?: string; fields?: { path: string }[] }
  return { status: reply.status, ...answer }
}
const subscribe = async (key = 'starter', interval: 'month' | 'year' = 'month') => {
  const subscription = await subscribeAtStripe(stripe, customer, key, interval)
  await send('/refresh', {}, 'POST')
  return subscription
}
const preview = (key: string, interval = 'month') =>
  send<PlanPreview>('/plan/preview', { planId: plans[key], interval })
const change = (key: string, interval: string, { prorationDate }: { prorationDate: number }) =>
  send('/plan', { planId: plans[key], interval, prorationDate }, 'PUT')
const readStripe = (id: string) => stripe.sdk.subscriptions.retrieve(id)
const listRefunds = async () =>
  (await stripe.sdk.charges.list({ customer, expand: ['data.refunds'] })).data.flatMap(
    ({ refunds }) => refunds?.data ?? [],
  )

describe('a change of plan', () => {
  it('costs what its preview said, to the cent, and gives the larger plan at once', async () => {
    await subscribe('starter')
    const asked = await preview('growth')
    expect(asked).toMatchObject({
      plan: { key: 'growth' },
      interval: 'month',
      cents: 4900,
      currency: 'usd',
      creditCents: 0,
    })
    expect(asked.dueNowCents).toBeGreaterThan(0)
    const changed = await change('growth', 'month', asked)
    expect(changed).toMatchObject({ status: 200, subscription: { plan: { key: 'growth' }, cents: 4900 } })
    const { items } = await send<{ items: { totalCents: number; status: string }[] }>('/invoices')
    expect(items).toContainEqual(expect.objectContaining({ totalCents: asked.dueNowCents, status: 'paid' }))
    expect(await change('growth', 'month', asked)).toMatchObject({ status: 200 })
    expect((await send<{ items: unknown[] }>('/invoices')).items).toHaveLength(items.length)
  })

  it('to a smaller plan charges nothing now and credits the rest of the period to the next invoice', async () => {
    await subscribe('business')
    const asked = await preview('starter')
    expect(asked).toMatchObject({ dueNowCents: 0, cents: 1900 })
    expect(asked.creditCents).toBeGreaterThan(10_000)
    expect(await change('starter', 'month', asked)).toMatchObject({ subscription: { plan: { key: 'starter' } } })
    const upcoming = await send<{ nextInvoice: { cents: number } }>('/upcoming')
    expect(upcoming.nextInvoice.cents).toBe(asked.nextInvoice.cents)
    expect(await listRefunds()).toEqual([])
  })

  it('keeps a plan that was cancelled, as its preview says', async () => {
    await subscribe('business')
    await send('/cancel', { reason: 'too_expensive' })
    const asked = await preview('starter')
    expect(asked).toMatchObject({ status: 200, dueNowCents: 0 })
    expect(asked.nextInvoice.at).toMatch(/^\d{4}-/)
    const { subscription } = await change('starter', 'month', asked)
    expect(subscription).toMatchObject({ plan: { key: 'starter' }, cancelAt: null })
  })

  it('to a year is paid at once, and the year begins', async () => {
    await subscribe('starter')
    const asked = await preview('starter', 'year')
    const { subscription } = await change('starter', 'year', asked)
    expect(subscription).toMatchObject({ interval: 'year', cents: 19_000 })
    expect(subscription?.periodEnd?.slice(0, 10)).toBe(asked.nextInvoice.at.slice(0, 10))
  })

  it('that the card refuses changes nothing and says why', async () => {
    const { id } = await subscribe('starter')
    const method = await stripe.sdk.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.sdk.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
    const answer = await change('growth', 'month', await preview('growth'))
    expect(answer).toMatchObject({ status: 402, code: 'payment_failed', detail: 'Your card was declined.' })
    expect((await readStripe(id)).items.data[0]?.price.id).toBe(await findPrice(stripe, 'starter'))
    expect(await send('')).toMatchObject({ subscription: { plan: { key: 'starter' } }, owed: null })
  })

  it('takes prices of the last hour alone, offered plans alone, and a subscription', async () => {
    expect(await preview('growth')).toMatchObject({ status: 409, code: 'not_subscribed' })
    await subscribe('starter')
    const now = Math.floor(Date.now() / 1000)
    for (const prorationDate of [now - 3_700, now + 3_700]) {
      const answer = await change('growth', 'month', { prorationDate })
      expect(answer).toMatchObject({ code: 'validation_failed', fields: [{ path: 'body.prorationDate' }] })
    }
    expect((await change('growth', 'month', { prorationDate: -1 })).code).toBe('validation_failed')
    expect(await send('/plan/preview', { planId: owner.id, interval: 'month' })).toMatchObject({
      code: 'plan_not_found',
    })
  })
})

describe('a cancellation', () => {
  it('ends with the paid period, keeps its reason, and is undone', async () => {
    const { id } = await subscribe('growth')
    const cancel = () => send('/cancel', { reason: 'missing_features', comment: ' No fax. ' })
    const cancelled = await cancel()
    expect(cancelled.subscription?.cancelAt).toBe(cancelled.subscription?.periodEnd)
    expect(await cancel()).toMatchObject({ status: 200 })
    expect((await readStripe(id)).cancellation_details).toMatchObject({
      feedback: 'missing_features',
      comment: 'No fax.',
    })
    expect(await send('/upcoming')).toMatchObject({ nextInvoice: null })
    expect((await send('/reactivate', {}, 'POST')).subscription?.cancelAt).toBeNull()
    expect(await send('/reactivate', {}, 'POST')).toMatchObject({ status: 200 })
  })

  it.each([
    ['an unknown reason', { reason: 'bored' }, 'body.reason'],
    ['a comment that is too long', { reason: 'unused', comment: 'x'.repeat(1001) }, 'body.comment'],
  ])('refuses %s', async (_, body, path) => {
    expect(await send('/cancel', body)).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
  })

  it('needs a plan', async () => {
    for (const path of ['/cancel', '/reactivate']) {
      expect(await send(path, path === '/cancel' ? { reason: 'unused' } : {}, 'POST')).toMatchObject({
        status: 409,
        code: 'not_subscribed',
      })
    }
  })
})

describe('a promotion code', () => {
  it('is applied to the running subscription', async () => {
    await subscribe('growth')
    const coupon = await stripe.sdk.coupons.create({ percent_off: 20, duration: 'forever' })
    await stripe.sdk.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'TWENTY' })
    const answer = await send('/promotion-code', { code: 'twenty' }, 'PUT')
    expect(answer.subscription?.coupon).toBe(coupon.id)
    expect(await send('/upcoming')).toMatchObject({ nextInvoice: { cents: 3920 } })
    expect(await send('/promotion-code', { code: 'thirty' }, 'PUT')).toMatchObject({ code: 'promotion_code_invalid' })
  })
})

describe('the customer portal', () => {
  it('opens for customers, and leads back to the billing settings', async () => {
    const { url } = await send<{ url: string }>('/portal', {}, 'POST')
    expect(url).toContain(stripe.double.url)
    expect(await (await fetch(url)).text()).toContain(`${server.url}/dashboard/settings/billing`)
  })
})

describe('an invoice that could not be collected', () => {
  it('is named with the bank’s reason, where to pay it and when it is tried again', async () => {
    const clock = await stripe.sdk.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) })
    await server.client.query('delete from stripe_customers where organization_id = $1', [organizationId])
    customer = await openCustomer(stripe, server, organizationId, { testClock: clock.id })
    await subscribe('growth')
    const method = await stripe.sdk.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.sdk.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
    await stripe.sdk.testHelpers.testClocks.advance(clock.id, {
      frozen_time: Math.floor(Date.now() / 1000) + 33 * 86_400,
    })
    const { owed } = await send('/refresh', {}, 'POST')
    expect(owed).toMatchObject({
      cents: 4900,
      currency: 'usd',
      state: 'failed',
      error: 'Your card was declined.',
      nextAttemptAt: expect.any(String),
      pageUrl: expect.stringContaining(stripe.double.url),
    })
    await submitPage(owed?.pageUrl ?? '', cardForm())
    expect(await send('/refresh', {}, 'POST')).toMatchObject({ owed: null, subscription: { plan: { key: 'growth' } } })
  })
})

describe('a renewal without a payment method', () => {
  it('is owed, and is no question of the bank', async () => {
    const clock = await stripe.sdk.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) })
    await server.client.query('delete from stripe_customers where organization_id = $1', [organizationId])
    customer = await openCustomer(stripe, server, organizationId, { testClock: clock.id })
    await subscribe('growth')
    const { data } = await stripe.sdk.customers.listPaymentMethods(customer)
    for (const { id } of data) await stripe.sdk.paymentMethods.detach(id)
    await stripe.sdk.testHelpers.testClocks.advance(clock.id, {
      frozen_time: Math.floor(Date.now() / 1000) + 33 * 86_400,
    })
    const { owed } = await send('/refresh', {}, 'POST')
    expect(owed).toMatchObject({ cents: 4900, state: 'failed', error: expect.stringMatching(/payment/i) })
  })
})

describe('a withdrawal from the contract', () => {
  const withdraw = () => send('/withdrawal', { name: 'Grace Hopper', email: 'grace@example.org' })
  const listReceipts = async () => (await server.mails()).filter(({ to }) => to === 'grace@example.org')

  it('ends the plan at once, refunds all of it, and is confirmed by one email, however often it is sent', async () => {
    const { id } = await subscribe('growth')
    await change('business', 'month', await preview('business'))
    const { withdrawableUntil, subscription } = await send('')
    expect(withdrawableUntil).toBe(new Date(Date.parse(subscription?.startedAt ?? '') + 14 * 86_400_000).toISOString())
    const answers = await Promise.all([withdraw(), withdraw(), withdraw()])
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, subscription: null })
    expect(await withdraw()).toMatchObject({ status: 200 })
    expect((await readStripe(id)).status).toBe('canceled')
    const charged = (await stripe.sdk.charges.list({ customer })).data.reduce((sum, { amount }) => sum + amount, 0)
    const refunds = await listRefunds()
    expect(refunds).toHaveLength(2)
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(charged)
    const receipts = await listReceipts()
    expect(receipts).toHaveLength(1)
    expect(receipts[0]).toMatchObject({ kind: 'withdrawal_receipt', subject: expect.stringContaining('Northwind') })
  })

  it('is carried out later when Stripe is away', async () => {
    const { id } = await subscribe('growth')
    await server.client.query('delete from app.emails where to_address = $1', ['grace@example.org'])
    await stripe.double.unplug()
    expect(await withdraw()).toMatchObject({ status: 503, code: 'payments_unavailable' })
    await stripe.double.plugIn()
    // A minute later.
    await server.client.query(
      `update graphile_worker._private_jobs set run_at = now() where key like 'complete_withdrawal:%'`,
    )
    await expect.poll(async () => (await readStripe(id)).status).toBe('canceled')
    await expect.poll(listReceipts).toHaveLength(1)
  })

  it('is refused when the time is over, or where there is no plan', async () => {
    expect(await withdraw()).toMatchObject({ status: 409, code: 'not_subscribed' })
    await subscribe('growth')
    await server.client.query(
      `update subscriptions set created_at = now() - interval '15 days' where organization_id = $1`,
      [organizationId],
    )
    expect(await withdraw()).toMatchObject({ status: 409, code: 'withdrawal_not_possible' })
  })
})

describe('a deleted organisation', () => {
  const close = () =>
    server.call(`/api/v1/organizations/${organizationId}`, { token, method: 'DELETE', body: { name: 'Northwind' } })
  const readEnd = async (id: string) => (await readStripe(id)).cancel_at

  it('pays nothing after its deletion, keeps its plan when it is restored', async () => {
    const { id } = await subscribe('growth', 'year')
    expect((await close()).status).toBe(200)
    await expect.poll(() => readEnd(id)).not.toBeNull()
    const { rows } = await server.client.query<{ at: Date }>(
      'select delete_after as at from organizations where id = $1',
      [organizationId],
    )
    expect(await readEnd(id)).toBe(Math.floor((rows[0]?.at.getTime() ?? 0) / 1000))
    const path = `/api/v1/organizations/${organizationId}/restore`
    expect((await server.call(path, { token, method: 'POST' })).status).toBeLessThan(300)
    await expect.poll(() => readEnd(id)).toBeNull()
  })

  it('owes nothing any more when it was past due', async () => {
    const clock = await stripe.sdk.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) })
    await server.client.query('delete from stripe_customers where organization_id = $1', [organizationId])
    customer = await openCustomer(stripe, server, organizationId, { testClock: clock.id })
    const { id } = await subscribe('growth')
    const method = await stripe.sdk.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.sdk.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
    await stripe.sdk.testHelpers.testClocks.advance(clock.id, {
      frozen_time: Math.floor(Date.now() / 1000) + 33 * 86_400,
    })
    expect((await readStripe(id)).status).toBe('past_due')
    await close()
    await expect.poll(async () => (await readStripe(id)).status).toBe('canceled')
    await expect.poll(async () => (await stripe.sdk.invoices.list({ customer, status: 'open' })).data).toEqual([])
  })

  const listOpenInvoices = async () => (await stripe.sdk.invoices.list({ customer, status: 'open' })).data
  const listPaid = async () => (await stripe.sdk.invoices.list({ customer, status: 'paid' })).data
  const listUnended = async () =>
    (await stripe.sdk.subscriptions.list({ customer, status: 'all', limit: 100 })).data.filter(
      ({ status }) => status !== 'canceled' && status !== 'incomplete_expired',
    )
  /** A subscription whose first payment the bank wants confirmed. */
  const beginPayment = async () => {
    const { id: method } = await stripe.sdk.paymentMethods.attach('pm_card_authenticationRequired', { customer })
    return stripe.sdk.subscriptions.create({
      customer,
      default_payment_method: method,
      items: [{ price: await findPrice(stripe, 'growth', 'month') }],
      payment_behavior: 'default_incomplete',
    })
  }

  it('leaves no payment to confirm: what the bank was asked for is waived', async () => {
    const { id, status } = await beginPayment()
    expect(status).toBe('incomplete')
    await close()
    await expect.poll(listUnended).toEqual([])
    await expect.poll(listOpenInvoices).toEqual([])
    expect((await readStripe(id)).status).not.toBe('active')
    expect(await listPaid()).toEqual([])
  })

  it('ends its open checkout, and a plan that was bought while it closed', async () => {
    const begun = await send<{ url: string }>('/checkout', { planId: plans.growth, interval: 'month', ui: 'hosted' })
    expect(begun.status).toBe(201)
    await close()
    await expect
      .poll(async () => (await stripe.sdk.checkout.sessions.list({ customer })).data.map(({ status }) => status))
      .toEqual(['expired'])
    // Paid at the same moment: Stripe tells of it after the closing was carried out.
    const { id } = await subscribeAtStripe(stripe, customer, 'growth', 'month')
    await server.client.query(
      `select graphile_worker.add_job('converge_billing', json_build_object('organizationId', $1::text))`,
      [organizationId],
    )
    await expect.poll(() => readEnd(id)).not.toBeNull()
  })

  it('ends at once what Stripe would charge before it is removed, however it is removed', async () => {
    const { id } = await subscribe('growth', 'year')
    await close()
    await expect.poll(() => readEnd(id)).not.toBeNull()
    await stripe.sdk.subscriptions.update(id, { cancel_at: '' })
    await server.client.query('update organizations set delete_after = now() where id = $1', [organizationId])
    await server.client.query(`select graphile_worker.add_job('remove_closed_organizations')`)
    await expect.poll(async () => (await readStripe(id)).status, { timeout: 15_000 }).toBe('canceled')
    const isGone = async () =>
      (await server.client.query('select from organizations where id = $1', [organizationId])).rowCount === 0
    await expect.poll(isGone, { timeout: 15_000 }).toBe(true)
  })

  it('ends the plan of an organisation that goes with its owner’s account', async () => {
    const { id } = await subscribe('growth')
    const left = await server.call('/api/v1/account', { method: 'DELETE', token, body: { email: owner.email } })
    expect(left.status).toBe(204)
    await expect.poll(async () => (await readStripe(id)).status, { timeout: 15_000 }).toBe('canceled')
  })
})
