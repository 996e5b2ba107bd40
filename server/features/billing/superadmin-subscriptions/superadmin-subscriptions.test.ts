import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import type { SubscriberBilling } from '#contract/superadmin-subscriptions.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { type BuiltUser, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { openCustomer, startTestStripe, subscribeAtStripe, type TestStripe } from '#server/testing/stripe.ts'

/* What superadmins do to subscriptions, over HTTP, with the real SDK and jobs. */

let stripe: TestStripe
let server: TestServer
let token: string
let owner: BuiltUser
let organizationId: string
const plans: Record<string, string> = {}

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  server = await startTestServer({ SERVICES: 'web,worker', API_RATE_PER_MINUTE: '100000', ...stripe.env })
  token = await server.signIn(await createUser(server.client, { fullName: 'Sam Super' }))
  await runNow('sync_plans')
  await vi.waitFor(
    async () => expect(await query('select 1 from plans where stripe_yearly_price_id is null')).toEqual([]),
    10_000,
  )
  for (const { key, id } of await query<{ key: string; id: string }>('select key, id from plans')) plans[key] = id
})
afterAll(async () => {
  await server?.stop()
  await stripe?.stop()
})
beforeEach(async () => {
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.client.query<Row>(text, values)).rows
const runNow = (name: string) => query(`select graphile_worker.add_job($1)`, [name])
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const reason = 'They asked for it'

const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  server.call(`/api/v1/superadmin/subscriptions${path}`, { token, ...options })
async function act(path: string, method: string, body: object): Promise<SubscriberBilling> {
  const reply = await call(`/${organizationId}${path}`, { method, body })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  return JSON.parse(text) as SubscriberBilling
}
const refusal = async (path: string, method: string, body: object) => {
  const reply = await call(`/${organizationId}${path}`, { method, body })
  const { code, fields } = (await reply.json()) as { code: string; fields?: { path: string }[] }
  return [reply.status, code, ...(fields ?? []).map((field) => field.path)]
}
const read = async () => (await (await call(`/${organizationId}`)).json()) as SubscriberBilling
const readStatus = async () => {
  const { status, plan, isGranted } = await read()
  return [status, plan?.key ?? null, isGranted]
}
const listAudited = async () => {
  const reply = await server.call(`/api/v1/organizations/${organizationId}/audit?category=superadmin`, { token })
  const { items } = (await reply.json()) as { items: AuditEntry[] }
  return items.filter(({ action }) => action === 'superadmin.billing_changed').map(({ summary }) => summary)
}
/** Subscribes at Stripe, as a checkout does, and waits for the webhook. */
async function subscribe(key = 'starter') {
  const customer = await openCustomer(stripe, server, organizationId)
  const subscription = await subscribeAtStripe(stripe, customer, key)
  await expect.poll(readStatus).toEqual(['active', key, false])
  return { customer, subscription }
}

describe('subscriptions of all organisations', () => {
  it('are found by name, slug and owner, filtered, sorted and paged', async () => {
    const name = `Zebra ${randomUUID().slice(0, 8)}`
    await query('update organizations set name = $1 where id = $2', [name, organizationId])
    const list = async (search: string) =>
      (await (await call(`?${search}`)).json()) as {
        items: SubscriberBilling[]
        count: number
        nextCursor: string | null
      }
    const email = (owner.email ?? '').toUpperCase()
    for (const search of [name.slice(2), email]) {
      const { items, count } = await list(`search=${encodeURIComponent(search)}`)
      expect([count, items.map(({ organization }) => organization.id)]).toEqual([1, [organizationId]])
    }
    await subscribe('growth')
    const [first] = (await list('sort=revenue&limit=1')).items
    expect([first?.organization.id, first?.revenueCents]).toEqual([organizationId, 4900])
    expect((await list(`planId=${plans.growth}&status=active`)).items.map(({ plan }) => plan?.key)).toEqual(['growth'])
    for (const sort of ['newest', 'oldest', 'name', 'revenue']) {
      const found: string[] = []
      let cursor = ''
      for (;;) {
        const page = await list(`sort=${sort}&limit=2${cursor}`)
        found.push(...page.items.map(({ organization }) => organization.id))
        if (page.nextCursor === null) break
        cursor = `&cursor=${page.nextCursor}`
      }
      expect(new Set(found).size).toBe(found.length)
      expect(found.length).toBe((await list('')).count)
    }
    expect((await call('?cursor=bm9uZQ')).status).toBe(400)
  })

  it('change plan and interval, and charge the difference', async () => {
    await subscribe()
    const body = { planId: plans.growth, interval: 'month', charge: 'now', reason }
    const changed = await act('/plan', 'PUT', body)
    expect(changed).toMatchObject({ plan: { key: 'growth' }, revenueCents: 4900, subscription: { interval: 'month' } })
    expect(changed.payments.map(({ paidCents }) => paidCents).toSorted()).toEqual([1900, 3000])
    const yearly = await act('/plan', 'PUT', { ...body, interval: 'year' })
    expect(yearly).toMatchObject({ revenueCents: 4083, subscription: { interval: 'year', cents: 49_000 } })
    await expect
      .poll(listAudited)
      .toEqual([
        'Sam Super (superadmin) asked Stripe for the plan Growth, paid by the year: They asked for it',
        'Sam Super (superadmin) asked Stripe for the plan Growth, paid by the month: They asked for it',
      ])
  })

  it('keep their plan when the bank refuses the difference', async () => {
    const { customer } = await subscribe()
    const { id } = await stripe.sdk.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.sdk.customers.update(customer, { invoice_settings: { default_payment_method: id } })
    const body = { planId: plans.business, interval: 'month', charge: 'now', reason }
    expect(await refusal('/plan', 'PUT', body)).toEqual([402, 'payment_failed'])
    expect(await readStatus()).toEqual(['active', 'starter', false])
  })

  it('are cancelled at the end of the period, or at once', async () => {
    await subscribe()
    const later = await act('/cancellation', 'POST', { at: 'period_end', reason })
    expect(later).toMatchObject({ status: 'active', subscription: { cancelAt: later.subscription?.periodEnd } })
    const now = await act('/cancellation', 'POST', { at: 'now', reason })
    expect(now).toMatchObject({ status: 'canceled', subscription: null, revenueCents: 0 })
    expect(await refusal('/cancellation', 'POST', { at: 'now', reason })).toEqual([409, 'not_subscribed'])
  })

  it('are refused to owners', async () => {
    const ownersToken = await server.signIn(owner)
    for (const path of ['', `/${organizationId}`]) {
      expect((await call(path, { token: ownersToken })).status).toBe(403)
    }
  })
})

describe('a refund', () => {
  it('of a part and of the rest is made once for each id', async () => {
    await subscribe()
    const [payment] = (await read()).payments
    const part = { id: randomUUID(), paymentId: payment?.id, cents: 500, reason }
    const replies = await Promise.all([1, 2, 3].map(() => call(`/${organizationId}/refunds`, { body: part })))
    // Stripe refuses a request whose id is being worked on; none is carried out twice.
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    await act('/refunds', 'POST', part)
    expect((await read()).payments[0]).toMatchObject({ paidCents: 1900, refundedCents: 500 })
    expect(await refusal('/refunds', 'POST', { ...part, cents: 600 })).toEqual([422, 'id_reused'])
    const more = { ...part, id: randomUUID(), cents: 1401 }
    expect(await refusal('/refunds', 'POST', more)).toEqual([400, 'validation_failed', 'body.cents'])
    const rest = { ...part, id: randomUUID(), cents: null }
    expect(await act('/refunds', 'POST', rest)).toMatchObject({ payments: [{ refundedCents: 1900 }], revenueCents: 0 })
    expect((await act('/refunds', 'POST', rest)).refunds.map(({ cents }) => cents).toSorted()).toEqual([1400, 500])
    const none = { ...part, id: randomUUID(), cents: null }
    expect(await refusal('/refunds', 'POST', none)).toEqual([400, 'validation_failed', 'body.paymentId'])
  })

  it('whose answer is lost is found again by its id', async () => {
    await subscribe()
    const [payment] = (await read()).payments
    // The SDK's retry, too.
    stripe.double.faults.lostAnswers = 2
    const body = { id: randomUUID(), paymentId: payment?.id, cents: 700, reason }
    expect(await refusal('/refunds', 'POST', body)).toEqual([503, 'payments_unavailable'])
    stripe.double.faults.lostAnswers = 0
    expect((await act('/refunds', 'POST', body)).refunds.map(({ cents }) => cents)).toEqual([700])
  })

  it('is refused for a payment of another organisation', async () => {
    await subscribe()
    const [payment] = (await read()).payments
    organizationId = (await createUser(server.client)).organizationId ?? ''
    const body = { id: randomUUID(), paymentId: payment?.id, cents: 1, reason }
    expect(await refusal('/refunds', 'POST', body)).toEqual([404, 'payment_not_found'])
  })
})

describe('Stripe away', () => {
  it('is answered within 10 s, and changes nothing', async () => {
    await subscribe()
    stripe.double.faults.delayMs = 60_000
    stripe.double.faults.status = 503
    const start = performance.now()
    const body = { planId: plans.growth, interval: 'month', charge: 'now', reason }
    expect(await refusal('/plan', 'PUT', body)).toEqual([503, 'payments_unavailable'])
    expect(performance.now() - start).toBeLessThan(10_000)
    stripe.double.faults.delayMs = 0
    expect(await refusal('/cancellation', 'POST', { at: 'now', reason })).toEqual([503, 'payments_unavailable'])
    stripe.double.faults.status = undefined
    expect(await readStatus()).toEqual(['active', 'starter', false])
  })
})

describe('a plan given without payment', () => {
  const grant = (endsAt: string | null = null) =>
    act('/granted-plan', 'PUT', { planId: plans.business, endsAt, reason })

  it('stays through webhooks, convergence and reconciliation, and waits behind a paid plan', async () => {
    const { customer, subscription } = await subscribe()
    await stripe.sdk.subscriptions.cancel(subscription.id)
    await expect.poll(readStatus).toEqual(['canceled', 'starter', false])
    expect(await grant()).toMatchObject({ status: 'active', isGranted: true, grantedPlan: { grantedBy: 'Sam Super' } })
    // Each makes the mirror equal to Stripe again.
    await stripe.sdk.customers.update(customer, { name: 'Renamed' })
    await query(`select app.enqueue_job('converge_billing', $1, 'again')`, [JSON.stringify({ organizationId })])
    const before = await read()
    await runNow('reconcile_billing')
    await expect.poll(async () => (await read()).convergedAt !== before.convergedAt).toBe(true)
    await expect.poll(() => query('select 1 from stripe_reconciliations where ended_at is null')).toEqual([])
    expect(await readStatus()).toEqual(['active', 'business', true])
    const paid = await subscribeAtStripe(stripe, customer, 'growth')
    await expect.poll(readStatus).toEqual(['active', 'growth', false])
    await stripe.sdk.subscriptions.cancel(paid.id)
    await expect.poll(readStatus).toEqual(['active', 'business', true])
    expect((await read()).revenueCents).toBe(0)
    await act('/granted-plan/end', 'POST', { reason })
    // Both subscriptions began within a second, as precisely as Stripe tells.
    expect(await readStatus()).toEqual(['canceled', expect.stringMatching(/starter|growth/), false])
  })

  it('gives back the trial that it interrupted', async () => {
    const { trialEndsAt } = await read()
    await grant(inDays(30))
    expect(await readStatus()).toEqual(['active', 'business', true])
    expect(await refusal('/trial', 'PUT', { endsAt: inDays(60), reason })).toEqual([409, 'trial_not_extendable'])
    expect(await act('/granted-plan/end', 'POST', { reason })).toMatchObject({ status: 'trialing', trialEndsAt })
    expect(await refusal('/granted-plan/end', 'POST', { reason })).toEqual([404, 'granted_plan_not_found'])
    await expect
      .poll(listAudited)
      .toEqual([
        'Sam Super (superadmin) revoked the plan Business: They asked for it',
        `Sam Super (superadmin) gave the plan Business without payment until ${inDays(30).slice(0, 10)}: They asked for it`,
      ])
  })

  it('ends by the clock', async () => {
    await grant(inDays(1))
    await query(`update granted_plans set ends_at = now(), trial_ends_at = now() where organization_id = $1`, [
      organizationId,
    ])
    await runNow('end_granted_plans')
    await expect.poll(readStatus).toEqual(['expired', null, false])
  })

  it('is refused for an end in the past, a missing plan and an organisation without limits', async () => {
    const body = { planId: plans.business, endsAt: inDays(-1), reason }
    expect(await refusal('/granted-plan', 'PUT', body)).toEqual([400, 'validation_failed', 'body.endsAt'])
    const missing = { ...body, endsAt: null, planId: randomUUID() }
    expect(await refusal('/granted-plan', 'PUT', missing)).toEqual([404, 'plan_not_found'])
    const blank = { ...body, endsAt: null, reason: ' ' }
    expect(await refusal('/granted-plan', 'PUT', blank)).toEqual([400, 'validation_failed', 'body.reason'])
    await query(`update organizations set subscription_status = 'self_hosted' where id = $1`, [organizationId])
    expect(await refusal('/granted-plan', 'PUT', { ...body, endsAt: null })).toEqual([409, 'organization_unlimited'])
  })
})

describe('a trial', () => {
  it('is extended, and begun again after its end', async () => {
    const endsAt = inDays(60)
    expect(await act('/trial', 'PUT', { endsAt, reason })).toMatchObject({ status: 'trialing', trialEndsAt: endsAt })
    const earlier = { endsAt: inDays(30), reason }
    expect(await refusal('/trial', 'PUT', earlier)).toEqual([400, 'validation_failed', 'body.endsAt'])
    await query(`update organizations set trial_ends_at = now() where id = $1`, [organizationId])
    await runNow('watch_plans')
    await expect.poll(readStatus).toEqual(['expired', null, false])
    expect((await act('/trial', 'PUT', earlier)).status).toBe('trialing')
  })

  it('is refused to an organisation that had a plan', async () => {
    await subscribe()
    await act('/cancellation', 'POST', { at: 'now', reason })
    expect(await refusal('/trial', 'PUT', { endsAt: inDays(60), reason })).toEqual([409, 'trial_not_extendable'])
  })
})
