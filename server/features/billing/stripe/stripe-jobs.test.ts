import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { type NamedLocks, openNamedLocks } from '#server/platform/locks/named-locks.ts'
import { createLog } from '#server/platform/log/log.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createBilledTenant, findPrice, startTestStripe, type TestStripe } from '#server/testing/stripe.ts'
import { syncPlans } from './sync-plans.ts'

/* What the jobs do by themselves. No event of Stripe arrives. */

let stripe: TestStripe
let server: TestServer

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  stripe.double.webhooks.switches.drop = () => true
  server = await startTestServer({ ...stripe.env, SERVICES: 'web,worker' })
})
afterAll(async () => {
  await server?.stop()
  await stripe?.stop()
})

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.client.query<Row>(text, values)).rows

/** Runs a job, and waits until it is done. */
async function run(name: string): Promise<void> {
  await query('select graphile_worker.add_job($1)', [name])
  await expect.poll(() => query('select from graphile_worker.jobs where task_identifier = $1', [name])).toEqual([])
}

describe('sync_plans', () => {
  /** Processes of one instance. */
  const processes: { database: Database; locks: NamedLocks }[] = []
  beforeAll(() => {
    const log = createLog({ level: 'silent' })
    for (let index = 0; index < 3; index += 1) {
      const database = openDatabase({ url: server.databaseUrl, log, maxConnections: 2 })
      processes.push({ database, locks: openNamedLocks({ url: server.databaseUrl, log }) })
    }
  })
  afterAll(async () => {
    for (const { database, locks } of processes) {
      await locks.close()
      await database.close()
    }
  })
  const count = async () => ({
    products: (await stripe.sdk.products.list({ limit: 100 })).data.length,
    prices: (await stripe.sdk.prices.list({ limit: 100 })).data.length,
  })

  it('offers each plan once, when three processes do it at once and when it runs again', async () => {
    await Promise.all(processes.map((each) => syncPlans({ ...each, stripe: stripe.sdk })))
    expect(await count()).toEqual({ products: 3, prices: 6 })
    await run('sync_plans')
    expect(await count()).toEqual({ products: 3, prices: 6 })
    const rows = await query(`select key, stripe_monthly_price_id as price from plans order by position`)
    expect(rows).toEqual([
      { key: 'starter', price: await findPrice(stripe, 'starter') },
      { key: 'growth', price: await findPrice(stripe, 'growth') },
      { key: 'business', price: await findPrice(stripe, 'business') },
    ])
  })

  it('makes a new price of a changed one, which keeps former subscriptions, and renames the product', async () => {
    const tenant = await createBilledTenant(server)
    await tenant.subscribe('growth')
    const former = await findPrice(stripe, 'growth')
    await query(`update plans set monthly_cents = 5900, name = 'Grow' where key = 'growth'`)
    await run('sync_plans')
    const price = await findPrice(stripe, 'growth')
    expect(price).not.toBe(former)
    expect(await stripe.sdk.prices.retrieve(price)).toMatchObject({ unit_amount: 5900 })
    const [row] = await query<{ product: string; price: string }>(
      `select stripe_product_id as product, stripe_monthly_price_id as price from plans where key = 'growth'`,
    )
    expect(row?.price).toBe(price)
    expect(await stripe.sdk.products.retrieve(row?.product ?? '')).toMatchObject({ name: 'Grow' })
    const { json } = await tenant.call('/refresh', { method: 'POST' })
    expect(json.subscription).toMatchObject({ cents: 4900, plan: { name: 'Grow' } })
  })

  it('keeps the prices of a retired plan, which organisations still pay', async () => {
    const before = await findPrice(stripe, 'business')
    await query(`update plans set retired_at = now() where key = 'business'`)
    await run('sync_plans')
    expect(await stripe.sdk.prices.retrieve(before)).toMatchObject({ active: true })
    expect(await findPrice(stripe, 'business')).toBe(before)
    await query(`update plans set retired_at = null where key = 'business'`)
  })
})

describe('reconcile_billing', () => {
  const readReports = () =>
    query(
      `select organizations, differences, failures, ended_at is not null as ended from stripe_reconciliations
       order by started_at desc limit 1`,
    )
  beforeEach(async () => {
    await query('delete from stripe_customers')
    await query('delete from stripe_events')
  })

  it('finds organisations that differ from Stripe, corrects them, counts failures, and reports', async () => {
    const [same, missed, failing] = [
      await createBilledTenant(server),
      await createBilledTenant(server),
      await createBilledTenant(server),
    ]
    for (const tenant of [same, missed, failing]) await tenant.subscribe('starter')
    const { subscription } = (await missed.call('')).json
    await stripe.sdk.subscriptions.cancel(subscription.id)
    await query(`update stripe_customers set customer_id = 'cus_of_another_account' where organization_id = $1`, [
      failing.organizationId,
    ])
    await run('reconcile_billing')
    expect(await readReports()).toEqual([{ organizations: 3, differences: 1, failures: 1, ended: true }])
    expect((await missed.call('')).json.subscription).toBeNull()
    expect(
      await query('select subscription_status as status from organizations where id = $1', [missed.organizationId]),
    ).toEqual([{ status: 'canceled' }])
    for (const tenant of [same, failing]) {
      expect((await tenant.call('')).json.subscription).toMatchObject({ plan: { key: 'starter' } })
    }
    await run('reconcile_billing')
    expect(await readReports()).toMatchObject([{ differences: 0, failures: 1 }])
  })

  it('deletes events after 90 days', async () => {
    await query(
      `insert into stripe_events (id, type, outcome, created_at, received_at)
       values ('evt_old', 'invoice.paid', 'converging', now(), now() - interval '91 days'),
         ('evt_new', 'invoice.paid', 'converging', now(), now() - interval '89 days')`,
    )
    await run('reconcile_billing')
    expect(await query('select id from stripe_events')).toEqual([{ id: 'evt_new' }])
  })
})
