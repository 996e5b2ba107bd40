import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenMessage, Overview } from '#contract/superadmin-overview.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000', CONTACT_EMAIL: 'operator@earshot.example' })
  token = await server.signIn(await createUser(server.client, { fullName: 'Sam Super' }))
})
afterAll(() => server?.stop())

async function read<T>(path: string): Promise<T> {
  const reply = await server.call(`/api/v1/superadmin${path}`, { token })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}
const readOverview = () => read<Overview>('/overview')
const resultOf = ({ health }: Overview, name: string) => health.checks.find((check) => check.name === name)?.result

describe('GET /api/v1/superadmin/overview', () => {
  it('says which parts work, and that no worker runs until one reports', async () => {
    const before = await readOverview()
    expect([resultOf(before, 'database'), resultOf(before, 'disk'), resultOf(before, 'jobs')]).toEqual([
      'ok',
      'ok',
      'no_worker',
    ])
    expect(before.health.workers).toEqual({ running: 0, lastSeenAt: null })
    expect(before.health.disk.freeBytes).toBeGreaterThan(0)
    expect(before.health.disk.totalBytes).toBeGreaterThan(before.health.disk.freeBytes)
    await server.client.query(`insert into app.job_workers (worker_id) values ('made')`)
    const after = await readOverview()
    expect([resultOf(after, 'jobs'), after.health.workers.running]).toEqual(['ok', 1])
  })

  it('lists what needs attention, the most urgent first, and nothing else', async () => {
    await server.client.query('delete from graphile_worker._private_jobs')
    await server.client.query('delete from app.emails')
    const kindsOf = ({ attention }: Overview) => attention.filter(({ kind }) => kind !== 'disk_low')
    expect(kindsOf(await readOverview())).toEqual([])
    await server.client.query(
      `with made as (select (graphile_worker.add_job('prune_emails', max_attempts => 1)).id)
       update graphile_worker._private_jobs set attempts = 1 where id in (select id from made)`,
    )
    await server.client.query(`update graphile_worker._private_jobs set attempts = 1`)
    await server.client.query(
      `insert into app.emails (id, kind, to_address, subject, html, text, created_at, failed_at) values
         (gen_random_uuid(), 'made', 'a@example.com', 'Failed', '', '', now() - interval '3 days', now()),
         (gen_random_uuid(), 'made', 'a@example.com', 'Failed before', '', '', now() - interval '10 days', now() - interval '8 days'),
         (gen_random_uuid(), 'made', 'a@example.com', 'Waiting', '', '', now() - interval '1 hour', null)`,
    )
    const { organizationId } = await createUser(server.client, { organizationName: 'Late' })
    await server.client.query(`update organizations set subscription_status = 'past_due' where id = $1`, [
      organizationId,
    ])
    await server.client.query('insert into full_quotas (organization_id, needed_bytes) values ($1, 1)', [
      organizationId,
    ])
    await server.client.query(
      `insert into plan_warnings (organization_id, kind, level, period) values
         ($1, 'items', 100, 'now'), ($1, 'items', 90, 'now'), ($1, 'members', 100, 'now')`,
      [organizationId],
    )
    const id = randomUUID()
    const body = { id, topic: 'question', name: 'Ada', email: 'ada@example.com', message: 'Hello' }
    expect((await server.call('/api/v1/contact', { body })).status).toBe(202)
    const overview = await readOverview()
    expect(kindsOf(overview)).toEqual([
      { kind: 'jobs_failed', count: 1 },
      { kind: 'emails_failed', count: 1 },
      { kind: 'payments_past_due', count: 1 },
      { kind: 'storage_full', count: 1 },
      { kind: 'limits_reached', count: 1 },
      { kind: 'contact_messages', count: 1 },
    ])
    expect(overview.health.mail).toMatchObject({ failed: 1 })
    expect(overview.health.mail.waiting).toBeGreaterThanOrEqual(1)
    expect(overview.health.queue.failed).toBe(1)
  })

  it('follows thirty days of growth, beside the thirty before', async () => {
    await server.client.query('delete from app.instance_days')
    await server.client.query(
      `insert into app.instance_days
       select (now() at time zone 'utc')::date - n, 1, 0, 0, 0, case when n < 30 then 2 else 1 end, 0, 0, 0, 10, 0, 0
       from generate_series(0, 59) as n`,
    )
    await server.client.query(
      `insert into app.active_organizations
       select 'day', (now() at time zone 'utc')::date - n, '2026-01-05', 3 from generate_series(0, 29) as n`,
    )
    const { organizationId } = await createUser(server.client)
    await server.client.query(
      `insert into revenue_changes (organization_id, at, before_cents, after_cents) values
         ($1, now() - interval '100 days', 0, 1900), ($1, now() - interval '10 days', 1900, 4900),
         ($1, now() + interval '10 days', 4900, 0)`,
      [organizationId],
    )
    const { growth } = await readOverview()
    expect(growth.days).toHaveLength(30)
    expect(growth.days.at(-1)).toBe(new Date().toISOString().slice(0, 10))
    expect(growth.items).toMatchObject({ total: 60, previousTotal: 30, perDay: Array.from({ length: 30 }, () => 2) })
    expect(growth.loads).toMatchObject({ total: 300, previousTotal: 300 })
    expect(growth.active).toMatchObject({ total: 3, previousTotal: 0 })
    expect([growth.mrr.cents, growth.mrr.previousCents]).toEqual([4900, 1900])
    expect(growth.mrr.perDay.filter((cents) => cents === 1900)).toHaveLength(19)
  })
})

describe('messages of the contact form', () => {
  it('are listed until a superadmin marks them as answered, which can be undone', async () => {
    const open = async () => (await read<{ items: OpenMessage[] }>('/contact-messages')).items
    const [message] = await open()
    expect(message).toMatchObject({ name: 'Ada', email: 'ada@example.com', message: 'Hello' })
    const mark = async (answered: boolean, id = message?.id) =>
      server.call(`/api/v1/superadmin/contact-messages/${id}`, { method: 'PATCH', token, body: { answered } })
    expect((await mark(true)).status).toBe(200)
    expect(await open()).toEqual([])
    expect((await readOverview()).attention.map(({ kind }) => kind)).not.toContain('contact_messages')
    expect((await mark(false)).status).toBe(200)
    expect(await open()).toEqual([message])
    expect((await mark(true, randomUUID())).status).toBe(404)
  })
})
