import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Delivery, DeliveryDetail } from '#contract/deliveries.ts'
import type { CreatedIntegration, Integration } from '#contract/integrations.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createInstanceSecret } from '#server/platform/secret/instance-secret.ts'
import { createSeals } from '#server/platform/secret/seals.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { type Receiver, startReceiver } from '#server/testing/receiver.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'
import { releaseQueue } from '../delivery/queue.queries.ts'
import { sealSecrets } from '../secrets.ts'

const instanceSecret = 'the secret of the instance as it is now'
const previousSecret = 'the secret of the instance as it was before'

let server: TestServer
let receiver: Receiver
let owner: BuiltUser
let token: string
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  server = await startTestServer({
    SERVICES: 'web,worker',
    INSTANCE_SECRET: instanceSecret,
    INSTANCE_SECRET_PREVIOUS: previousSecret,
  })
})
afterAll(() => server.stop())

beforeEach(async () => {
  receiver = await startReceiver()
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  project = await createProject(server.client, { organizationId })
})
afterEach(() => receiver.stop())

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

const path = (rest = '') => `/api/v1/organizations/${organizationId}/integrations${rest}`

async function call<T>(rest: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await server.call(path(rest), { token, ...options })
  if (!reply.ok) throw new Error(`${rest}: ${reply.status} ${await reply.text()}`)
  // Our own server's answer, by its contract.
  return (reply.status === 204 ? null : await reply.json()) as T
}

const connect = (body: object = {}) =>
  call<CreatedIntegration>('', { body: { type: 'webhook', config: { url: receiver.url }, ...body } })

async function send(fields: Parameters<typeof makeSubmission>[0] = {}): Promise<{ id: string; number: number }> {
  const body = makeSubmission({ type: 'bug', message: 'The basket empties itself.', ...fields })
  const reply = await submit(server, project.widgetKey, body)
  // Our own server's answer, by its contract.
  return (await reply.json()) as { id: string; number: number }
}

describe('a webhook', () => {
  it('gets each new item, signed so that the published library verifies it', async () => {
    const { secret = '' } = await connect()
    const { id, number } = await send()
    const [got] = await receiver.waitFor(1)
    if (!got) throw new Error('nothing came')
    const headers = Object.fromEntries(Object.entries(got.headers).map(([name, value]) => [name, String(value)]))
    expect(new Webhook(secret).verify(got.body, headers)).toMatchObject({
      type: 'feedback.created',
      data: {
        organizationId,
        feedbackId: id,
        feedback: { id, number, type: 'bug', status: 'new', message: 'The basket empties itself.' },
        url: `${server.url}/dashboard/feedback?item=${id}`,
      },
    })
    expect(() => new Webhook(secret).verify(`${got.body} `, headers)).toThrow(/signature/)
    expect(got.headers['content-type']).toBe('application/json')
  })

  it('gets what its rules ask for, and nothing of other projects, spam and other events', async () => {
    const other = await createProject(server.client, { organizationId })
    await connect({ events: ['feedback.created'], rules: { projectId: [project.id], type: ['bug'], rating: [1, 2] } })
    await submit(server, other.widgetKey, makeSubmission({ type: 'bug', rating: 1 }))
    await send({ rating: 5 })
    await send({ type: 'idea', rating: 1 })
    const wanted = await send({ rating: 2 })
    const [got] = await receiver.waitFor(1)
    await until(async () => expect((await call<{ items: Delivery[] }>(await ofFirst())).items).toHaveLength(1))
    expect(JSON.parse(got?.body ?? '').data.feedbackId).toBe(wanted.id)
  })

  it('hears of changes with who made them, from and to', async () => {
    await connect({ events: ['feedback.status_changed', 'feedback.commented', 'feedback.updated'] })
    const { id } = await createFeedback(server.client, { organizationId, projectId: project.id })
    const item = `/api/v1/organizations/${organizationId}/feedback/${id}`
    await server.call(item, { method: 'PATCH', token, body: { status: 'in_progress' } })
    const [got] = await receiver.waitFor(1)
    expect(JSON.parse(got?.body ?? '')).toMatchObject({
      type: 'feedback.status_changed',
      data: { change: { from: 'new', to: 'in_progress' }, actorName: 'Ada Example' },
    })
    // Reading it concerns the team alone.
    await server.call(item, { method: 'PATCH', token, body: { viewed: true } })
    const comment = { id: crypto.randomUUID(), kind: 'note', text: 'Seen in the logs.' }
    await server.call(`${item}/comments`, { token, body: comment })
    const [, second] = await receiver.waitFor(2)
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      type: 'feedback.commented',
      data: { comment: { text: 'Seen in the logs.', kind: 'note', fromVisitor: false } },
    })
  })

  it('is asked again after a failure, with the same id and body, and its log shows both attempts', async () => {
    receiver.answer((_, response) => response.writeHead(receiver.received.length === 1 ? 500 : 204).end('out of order'))
    const { id } = await connect()
    await send()
    const [first, second] = await receiver.waitFor(2, 15_000)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(4_000)
    await until(async () => {
      const { items } = await call<{ items: Delivery[] }>(`/${id}/deliveries`)
      expect(items[0]).toMatchObject({ state: 'delivered', attempts: 2, status: 204, failure: null })
      const { log } = await call<DeliveryDetail>(`/${id}/deliveries/${items[0]?.id}`)
      expect(log.map(({ number, status, failure }) => ({ number, status, failure }))).toEqual([
        { number: 2, status: 204, failure: null },
        { number: 1, status: 500, failure: 'The service answered 500.' },
      ])
      expect(log[1]?.response).toBe('out of order')
    })
  })

  it('is disabled by 410, keeps waiting deliveries, and sends them once it is enabled again', async () => {
    receiver.answer((_, response) => response.writeHead(410).end())
    const { id } = await connect()
    await send()
    await receiver.waitFor(1)
    await until(async () => {
      const [integration] = (await call<{ items: Integration[] }>('')).items
      expect(integration).toMatchObject({
        state: 'disabled',
        reason: 'The service answered 410: it wants no more deliveries.',
        waiting: 1,
      })
    })
    receiver.answer((_, response) => response.writeHead(200).end())
    await call(`/${id}`, { method: 'PATCH', body: { state: 'active' } })
    await receiver.waitFor(2)
    await until(async () => {
      const [integration] = (await call<{ items: Integration[] }>('')).items
      expect(integration).toMatchObject({ state: 'active', reason: null, waiting: 0 })
    })
  })

  it('is sealed with the current secret soon after the instance’s secret has changed', async () => {
    const { id, secret = '' } = await connect()
    const current = createInstanceSecret(instanceSecret)
    const before = createSeals({ current: createInstanceSecret(previousSecret), previous: null })
    const after = createSeals({ current, previous: null })
    const key = secret.replace('whsec_', '')
    const sealed = sealSecrets(before, { organizationId, integrationId: id }, { fields: {}, signing: { current: key } })
    await server.client.query('update integrations set secrets = $2 where id = $1', [id, sealed])
    await server.client.query(`select graphile_worker.add_job('renew_seals', '{}')`)
    await until(async () => {
      const { rows } = await server.client.query('select secrets from integrations where id = $1', [id])
      expect(after.isCurrent(rows[0].secrets)).toBe(true)
    })
    await send()
    const [got] = await receiver.waitFor(1)
    const headers = Object.fromEntries(Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]))
    expect(new Webhook(secret).verify(got?.body ?? '', headers)).toMatchObject({ type: 'feedback.created' })
  })

  it('is hidden once it is disconnected and gets nothing more, and all that belongs to it is removed', async () => {
    receiver.answer((_, response) => response.writeHead(500).end())
    const { id } = await connect()
    await send()
    await receiver.waitFor(1)
    const [delivery] = (await call<{ items: Delivery[] }>(`/${id}/deliveries`)).items
    await call(`/${id}`, { method: 'DELETE' })
    expect((await call<{ items: Integration[] }>('')).items).toEqual([])
    for (const hidden of [`/${id}/deliveries`, `/${id}/deliveries/${delivery?.id}`]) {
      expect([hidden, (await server.call(path(hidden), { token })).status]).toEqual([hidden, 404])
    }
    const count = async (table: string, column: string) =>
      (await server.client.query(`select from ${table} where ${column} = $1`, [id])).rows.length
    await until(async () => expect(await count('integrations', 'id')).toBe(0))
    expect(await count('deliveries', 'integration_id')).toBe(0)
    await send()
    expect(receiver.received).toHaveLength(1)
  })

  it('gets nothing while it is paused, and what it missed by a replay, each once', async () => {
    const { id } = await connect()
    const since = new Date(Date.now() - 1000).toISOString()
    await send()
    await receiver.waitFor(1)
    await call(`/${id}`, { method: 'PATCH', body: { state: 'paused' } })
    const missed = await send()
    await until(async () => {
      const { rows } = await server.client.query(
        `select from app.events where dispatched_at is null
         union all select from graphile_worker.jobs where task_identifier = 'event:queue_deliveries'`,
      )
      expect(rows).toHaveLength(0)
    })
    await call(`/${id}`, { method: 'PATCH', body: { state: 'active' } })
    expect(await call(`/${id}/replay`, { body: { since } })).toEqual({ queued: 1 })
    const [, second] = await receiver.waitFor(2)
    expect(JSON.parse(second?.body ?? '').data.feedbackId).toBe(missed.id)
    expect(await call(`/${id}/replay`, { body: { since } })).toEqual({ queued: 0 })
  })

  it('can be tested at once, also before anything has happened', async () => {
    const { id } = await connect({ config: { url: receiver.url, headers: 'X-Token: very-secret-value' } })
    expect(await call(`/${id}/test`, { method: 'POST' })).toMatchObject({
      event: 'integration.test',
      state: 'delivered',
    })
    expect(receiver.received[0]?.headers['x-token']).toBe('very-secret-value')
    const { items } = await call<{ items: Delivery[] }>(`/${id}/deliveries`)
    const { log } = await call<DeliveryDetail>(`/${id}/deliveries/${items[0]?.id}`)
    expect(log[0]?.request).toContain('X-Token: •••')
    receiver.answer((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
    expect(await call(`/${id}/test`, { method: 'POST' })).toMatchObject({
      state: 'failed',
      status: 302,
      failure: 'The service redirected the request (302), which is not followed.',
    })
  })

  it('signs with both secrets while a rotated one overlaps', async () => {
    const { id, secret: former = '' } = await connect()
    const { secret } = await call<{ secret: string }>(`/${id}/secret`, { body: { overlapHours: 1 } })
    await call(`/${id}/test`, { method: 'POST' })
    const [got] = receiver.received
    const headers = Object.fromEntries(Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]))
    for (const each of [former, secret]) expect(new Webhook(each).verify(got?.body ?? '', headers)).toBeTruthy()
    await call(`/${id}/secret`, { body: { overlapHours: 0 } })
    await call(`/${id}/test`, { method: 'POST' })
    const later = Object.fromEntries(
      Object.entries(receiver.received[1]?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    for (const each of [former, secret])
      expect(() => new Webhook(each).verify(receiver.received[1]?.body ?? '', later)).toThrow()
  })

  it('never shows its secrets, and is seen without them by every member', async () => {
    await connect({ config: { url: receiver.url, headers: 'X-Token: very-secret-value' } })
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    const asViewer = await server.signIn(viewer)
    const reply = await server.call(path(), { token: asViewer })
    const text = await reply.text()
    expect(text).not.toContain('very-secret-value')
    expect(JSON.parse(text).items[0]).toMatchObject({ state: 'active', storedSecrets: ['headers'] })
    const { rows } = await server.client.query('select row_to_json(i)::text as text from integrations i')
    expect(JSON.stringify(rows)).not.toContain('very-secret-value')
    expect((await server.call(path(), { token: asViewer, body: { type: 'webhook', config: {} } })).status).toBe(403)
  })

  it.each([
    [{ type: 'none', config: {} }, 'body.type'],
    [{ type: 'webhook', config: {} }, 'body.config.url'],
    [{ type: 'webhook', config: { url: 'ftp://example.com/' } }, 'body.config.url'],
    [{ type: 'webhook', config: { url: 'http://169.254.169.254/latest' } }, 'body.config.url'],
    [{ type: 'webhook', config: { url: 'http://[::ffff:10.0.0.1]/' } }, 'body.config.url'],
    [{ type: 'webhook', config: { url: 'https://example.com', color: 'red' } }, 'body.config.color'],
    [{ type: 'webhook', config: { url: 'https://example.com', headers: 'no header' } }, 'body.config.headers'],
    [{ type: 'webhook', config: { url: 'https://example.com', headers: 'Host: a' } }, 'body.config.headers'],
    [{ type: 'webhook', config: { url: 'https://example.com' }, rules: { type: ['none'] } }, 'body.rules.type.0'],
  ])('refuses %j, naming the field', async (body, field) => {
    const reply = await server.call(path(), { token, body })
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { fields: { path: string }[] }).fields.map((each) => each.path)).toContain(field)
  })
})

async function ofFirst(): Promise<string> {
  const [integration] = (await call<{ items: Integration[] }>('')).items
  return `/${integration?.id}/deliveries`
}

describe('a queue', () => {
  it.each([
    [
      'a delivery',
      `insert into deliveries (organization_id, integration_id, event_name, subject_id)
       values ($1, $2, 'feedback.created', gen_random_uuid())`,
    ],
    [
      'the synchronisation of an issue',
      `select app.request_issue_syncs($1, array_agg(id)) from issue_links
       where organization_id = $1 and integration_id = $2`,
    ],
  ])('is due again when %s is added while it is given back', async (_, adding) => {
    const { id } = await connect()
    const { id: feedbackId } = await createFeedback(server.client, { organizationId, projectId: project.id })
    await server.client.query(
      'insert into issue_links (organization_id, integration_id, feedback_id) values ($1, $2, $3)',
      [organizationId, id, feedbackId],
    )
    const workerId = crypto.randomUUID()
    // As if a process had just worked through it.
    await server.client.query('delete from deliveries where integration_id = $1', [id])
    await server.client.query(
      `update integration_queues set due_at = now() - interval '1 s', leased_by = $2,
         leased_until = now() + interval '1 min' where integration_id = $1`,
      [id, workerId],
    )
    const log = createLog({ level: 'error', destination: { write: () => {} } })
    const database = openDatabase({ url: server.databaseUrl, log, maxConnections: 2 })
    await server.client.query('begin')
    await server.client.query(adding, [organizationId, id])
    const queue = { organizationId, integrationId: id }
    const released = database.asSystem('a test', (tx) => releaseQueue(tx, workerId, queue, 60))
    const expectWaiting = async () => {
      const { rows } = await server.client.query('select from pg_locks where not granted')
      expect(rows).not.toEqual([])
    }
    await Promise.race([released, until(expectWaiting)])
    await server.client.query('commit')
    await released
    const { rows } = await server.client.query(
      'select due_at is not null as "isDue" from integration_queues where integration_id = $1',
      [id],
    )
    expect(rows).toEqual([{ isDue: true }])
    await database.close()
  })
})

describe('emails to owners', () => {
  const listMails = async (kind: string) => (await server.mails()).filter((mail) => mail.kind === kind)
  const runNow = (job: string) => server.client.query('select graphile_worker.add_job($1)', [job])
  const waitForJobs = () =>
    until(async () => {
      const { rows } = await server.client.query(
        `select from graphile_worker.jobs where task_identifier like 'event:%' or task_identifier = 'mail_ending_tokens'`,
      )
      expect(rows).toEqual([])
    })

  it('say once that an integration was disabled, and why, and again when it is disabled again', async () => {
    const second = await createMember(server.client, { organizationId, role: 'owner' })
    await createMember(server.client, { organizationId, role: 'admin' })
    const { id } = await connect({ name: 'Our bot' })
    receiver.answer((_, response) => response.writeHead(410).end())
    const expectMails = async (count: number) => {
      await until(async () => {
        const mails = (await listMails('integration_disabled')).filter(({ text }) => text.includes(id))
        expect(mails.map(({ to }) => to).sort()).toEqual(
          Array.from({ length: count }, () => [owner.email, second.email])
            .flat()
            .sort(),
        )
      })
    }
    await send()
    await expectMails(1)
    const [mail] = (await listMails('integration_disabled')).filter(({ text }) => text.includes(id))
    expect(mail).toMatchObject({ subject: 'Earshot disabled Our bot' })
    expect(mail?.text).toContain('Reason: The service answered 410: it wants no more deliveries.')
    expect(mail?.text).toContain(`${server.url}/dashboard/integrations/${id}`)
    expect(mail?.text).toContain(`${server.url}/unsubscribe/`)
    // The event may come twice.
    await server.client.query(
      `select graphile_worker.add_job('event:mail_disabled_integrations',
         json_build_object('events', json_agg(json_build_object('organizationId', organization_id, 'id', id))))
       from app.events where organization_id = $1 and name = 'integration.disabled'`,
      [organizationId],
    )
    await waitForJobs()
    await expectMails(1)
    await call(`/${id}`, { method: 'PATCH', body: { state: 'active' } })
    await expectMails(2)
  })

  it('warn 30, 7 and 1 days before a token expires, once each, and again of a later token', async () => {
    const { id } = await connect({ name: 'Our bot' })
    /** Sets how many days are left, as if time had passed for the same token. */
    const setDaysLeft = (days: number, isOther = false) =>
      server.client.query(
        `update integrations set credentials_end_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
             + make_interval(days => $2, hours => 12),
           warned_end_at = case when warned_end_at is not null and not $3 then
             date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + make_interval(days => $2, hours => 12) end
         where id = $1`,
        [id, days, isOther],
      )
    const subjects: string[] = []
    for (const [days, isOther] of [
      [31, false],
      [30, false],
      [29, false],
      [8, false],
      [5, false],
      [2, false],
      [1, false],
      [6, true],
      [1, true],
    ] as const) {
      await setDaysLeft(days, isOther)
      for (const _ of [1, 2]) {
        await runNow('mail_ending_tokens')
        await waitForJobs()
      }
      const mails = (await listMails('token_ending')).filter(({ text }) => text.includes(id))
      subjects.push(...mails.slice(subjects.length).map(({ subject, to }) => `${days}: ${subject} to ${to}`))
    }
    expect(subjects).toEqual([
      `30: Earshot: the token of Our bot expires in 30 days to ${owner.email}`,
      `5: Earshot: the token of Our bot expires in 5 days to ${owner.email}`,
      `1: Earshot: the token of Our bot expires tomorrow to ${owner.email}`,
      `6: Earshot: the token of Our bot expires in 6 days to ${owner.email}`,
      `1: Earshot: the token of Our bot expires tomorrow to ${owner.email}`,
    ])
    await call(`/${id}`, { method: 'PATCH', body: { state: 'paused' } })
    await setDaysLeft(3, true)
    await runNow('mail_ending_tokens')
    await waitForJobs()
    expect((await listMails('token_ending')).filter(({ text }) => text.includes(id))).toHaveLength(5)
  })
})
