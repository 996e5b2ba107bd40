import { createHmac, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Export } from '#contract/exports.ts'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import type { Import } from '#contract/imports.ts'
import { VisitorHeaders } from '#contract/widget.ts'
import { type BuiltUser, createProject, createUser, createWorkingKey } from '#server/testing/builders.ts'
import { contracts } from '#server/testing/contracts.ts'
import { followEvents } from '#server/testing/event-stream.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { connectMcp } from '#server/testing/mcp-clients.ts'
import { startReceiver } from '#server/testing/receiver.ts'
import { endTrial, subscribe } from '#server/testing/subscriptions.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

/** Of a visitor's browser. */
const visitorKey = 'abcdefghijklmnopqrstuv'
/** In one word, so that it survives lower case, search, addresses and CSV. */
const secret = 'zebrafish7391'

let fixture: FilesFixture
let owner: BuiltUser
let token: string
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  fixture = await openFilesFixture({ API_RATE_PER_MINUTE: '100000', API_KEY_RATE_PER_MINUTE: '100000' })
})
afterAll(() => fixture.stop())

beforeEach(async () => {
  owner = await createUser(fixture.server.client)
  organizationId = owner.organizationId ?? ''
  token = await fixture.server.signIn(owner)
  project = await createProject(fixture.server.client, { organizationId })
})

const query = (text: string, values: unknown[] = []) => fixture.server.client.query(text, values)
const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  fixture.server.call(`/api/v1/organizations/${organizationId}${path}`, { token, ...options })
const readItem = async (id: string) => (await (await call(`/feedback/${id}`)).json()) as FeedbackDetail
const listItems = async (search = '') =>
  ((await (await call(`/feedback?limit=100${search}`)).json()) as { items: FeedbackListItem[] }).items
const send = (overrides: Record<string, unknown> = {}, widgetKey = project.widgetKey) =>
  submit(fixture.server, widgetKey, makeSubmission(overrides))
const subscribeTo = (key: string) => subscribe(fixture.server, organizationId, key)

/** A plan that allows so many items a month. */
async function makePlan(maxItems: number): Promise<string> {
  const key = `plan-${randomUUID()}`
  await query(
    `insert into plans (key, name, monthly_cents, yearly_cents, max_items_per_month, retired_at)
     values ($1, 'Tiny', 1, 10, $2, now())`,
    [key, maxItems],
  )
  return key
}

/** A submission that names the secret in all that a visitor and a page can say. */
async function makeTellingSubmission() {
  const file = { kind: 'screenshot', bytes: makePng(), name: `${secret}.png` } as const
  const fileId = await sendFile(fixture.server, project.widgetKey, file)
  return makeSubmission({
    message: `The ${secret} does nothing.`,
    rating: 2,
    email: `${secret}@example.org`,
    name: `Grace ${secret}`,
    page: { url: `https://shop.example/${secret}`, title: `Cart ${secret}` },
    context: { language: secret },
    metadata: { plan: secret },
    tags: [secret],
    visitorKey,
    attachments: [{ id: fileId, kind: 'screenshot', name: `${secret}.png` }],
  })
}

/** What each operation that reads answers to a caller. */
async function readEverything(feedbackId: string, bearer: string, kind: 'organization' | 'api_key'): Promise<string> {
  const ids: Record<string, string> = { organizationId, feedbackId, projectId: project.id }
  const texts: string[] = []
  for (const { method, path, access, operationId } of contracts) {
    if (method !== 'GET' || access.kind !== kind || operationId === 'watchFeedback') continue
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID())
    for (const search of ['', `?q=${secret.slice(0, 6)}`]) {
      const reply = await fetch(fixture.server.url + address + search, {
        headers: { authorization: `Bearer ${bearer}` },
      })
      // The answer may repeat the question, whose words are not the secret.
      texts.push(`${operationId} ${await reply.text()}`)
    }
  }
  return texts.filter((text) => text.includes(secret)).join('\n')
}

async function readExport(format: string): Promise<string> {
  const id = randomUUID()
  await call('/exports', { body: { id, format, selection: {} } })
  const read = async () => (await (await call(`/exports/${id}`)).json()) as Export
  await eventually(async () => (await read()).state).toBe('ready')
  return (await fetch(fixture.server.url + (await read()).downloadUrl)).text()
}

/** Headers by which the site vouches for a visitor. */
async function sign(visitorId: string): Promise<Record<string, string>> {
  const reply = await call(`/projects/${project.id}/widget/identity-secret`)
  const { secret: identitySecret } = (await reply.json()) as { secret: string }
  const hash = createHmac('sha256', identitySecret).update(visitorId).digest('hex')
  return { [VisitorHeaders.id]: visitorId, [VisitorHeaders.hash]: hash }
}

async function makeSuperadmin(): Promise<string> {
  const superadmin = await createUser(fixture.server.client)
  await query('insert into app.superadmins (user_id) values ($1)', [superadmin.id])
  return fixture.server.signIn(superadmin)
}

/** A submission as the server hands it to the database. */
async function readBatchRow(): Promise<Record<string, unknown>> {
  const { rows } = await query(
    `select organization_id, project_id, type, source, '' as answers, fields, tags, visitor_verified, page_url, context,
       metadata, content_hash
     from feedback where organization_id = $1 limit 1`,
    [organizationId],
  )
  const { content_hash: hash, ...row } = rows[0]
  return { ...row, content_hash: `\\x${hash.toString('hex')}` }
}

/** Waits until all jobs of the organisation's events have run. */
async function settle(): Promise<void> {
  const count = async () =>
    (
      await query(
        `select (select count(*) from app.events where dispatched_at is null and organization_id = $1)
           + (select count(*) from graphile_worker.jobs where run_at <= now() and task_identifier <> 'send_email') as n`,
        [organizationId],
      )
    ).rows[0]?.n
  await eventually(async () => Number(await count())).toBe(0)
}

describe('feedback after the trial', () => {
  it('is stored and tells no one a word until a plan is chosen, then appears everywhere, and is told once', async () => {
    const { server } = fixture
    const receiver = await startReceiver()
    await call('/integrations', { body: { type: 'webhook', config: { url: receiver.url } } })
    await call('/notification-preferences', {
      method: 'PATCH',
      body: { allProjects: { newFeedback: { mail: 'instant' } } },
    })
    await query(`update memberships set joined_at = now() - interval '1 hour' where organization_id = $1`, [
      organizationId,
    ])
    const key = await createWorkingKey(server.client, { organizationId, projectId: project.id })
    const superadmin = await makeSuperadmin()
    const stream = await followEvents(server, organizationId, token)
    await endTrial(server.client, organizationId)

    const submission = await makeTellingSubmission()
    const first = await submit(server, project.widgetKey, submission)
    expect([first.status, await first.json()]).toEqual([201, { id: submission.id, number: 1 }])
    const again = await submit(server, project.widgetKey, submission)
    expect([again.status, await again.json()]).toEqual([200, { id: submission.id, number: 1 }])
    const { id } = submission
    const notice = await stream.nextWithItems()
    expect(notice).toMatchObject({ kind: 'feedback.created', ids: [id], items: [{ id, locked: true, excerpt: '' }] })
    expect(JSON.stringify(notice)).not.toContain(secret)
    await settle()

    expect(await readItem(id)).toMatchObject({
      locked: true,
      number: 1,
      message: '',
      rating: null,
      visitorEmail: null,
      pageUrl: '',
      tags: [],
      attachments: [],
    })
    expect(await readEverything(id, token, 'organization')).toBe('')
    expect(await readEverything(id, superadmin, 'organization')).toBe('')
    expect(await readEverything(id, key, 'api_key')).toBe('')
    for (const format of ['csv', 'json']) expect(await readExport(format)).not.toContain(secret)
    const agent = await connectMcp(server.url, key)
    const tools = await agent.listTools()
    for (const { name } of tools) {
      const told = await agent.call(name, { feedbackId: id, id, query: secret.slice(0, 6) }).catch(String)
      expect([name, JSON.stringify(told).includes(secret)]).toEqual([name, false])
    }
    // A member works with it: what follows is told without its content.
    await call(`/feedback/${id}`, { method: 'PATCH', body: { status: 'open', tags: ['Later'] } })
    await settle()
    await query(`update feedback set created_at = created_at - interval '1 minute' where id = $1`, [id])
    await query(`select app.enqueue_job('mail_new_feedback', $1)`, [JSON.stringify({ organizationId })])
    await settle()
    expect(JSON.stringify(receiver.received)).not.toContain(secret)
    expect(receiver.received.filter(({ body }) => body.includes('feedback.created'))).toEqual([])
    expect(JSON.stringify(await server.mails())).not.toContain(secret)
    expect(server.logLines.join('\n')).not.toContain(secret)
    expect(await listItems(`&q=${secret}`)).toEqual([])

    const before = await readItem(id)
    await subscribeTo('starter')
    await eventually(async () => (await readItem(id)).locked).toBe(false)
    const unlocked = await readItem(id)
    expect(unlocked).toMatchObject({
      message: `The ${secret} does nothing.`,
      rating: 2,
      status: 'open',
      visitorEmail: `${secret}@example.org`,
      visitorName: `Grace ${secret}`,
      pageUrl: `https://shop.example/${secret}`,
      metadata: { plan: secret },
      createdAt: before.createdAt,
      updatedAt: before.updatedAt,
    })
    expect(unlocked.tags.toSorted()).toEqual(['Later', secret])
    expect(unlocked.version).toBeGreaterThan(before.version)
    expect(unlocked.history).toEqual(before.history)
    await eventually(async () => (await readItem(id)).attachments.map(({ state }) => state)).toEqual(['ready'])
    const [attachment] = (await readItem(id)).attachments
    expect((await fetch(new URL(attachment?.url ?? '', server.url))).status).toBe(200)
    await eventually(async () => (await listItems(`&q=${secret}`)).map((item) => item.id)).toEqual([id])
    await eventually(async () => JSON.stringify(await (await call(`/visitors?q=${secret}`)).json())).toContain(
      `${secret}@example.org`,
    )
    for (const format of ['csv', 'json']) expect(await readExport(format)).toContain(secret)
    for (const bearer of [token, superadmin]) {
      const answers = await readEverything(id, bearer, 'organization')
      for (const operation of ['getFeedback ', 'listFeedback ']) expect(answers).toContain(operation)
    }
    expect(await readEverything(id, key, 'api_key')).toContain('apiGetFeedback')
    expect(JSON.stringify(await agent.call('get_feedback', { id }))).toContain(secret)
    await eventually(() => receiver.received.filter(({ body }) => body.includes('feedback.created')).length).toBe(1)
    await query(`update feedback set unlocked_at = unlocked_at - interval '1 minute' where id = $1`, [id])
    await query(`select app.enqueue_job('mail_new_feedback', $1)`, [JSON.stringify({ organizationId })])
    const mailed = async () =>
      (await server.mails()).filter(({ to, text }) => to === owner.email && text.includes(secret))
    await eventually(async () => (await mailed()).length).toBe(1)
    // Another change of the plan tells nothing again.
    await subscribeTo('growth')
    await settle()
    expect(receiver.received.filter(({ body }) => body.includes('feedback.created'))).toHaveLength(1)
    expect(await mailed()).toHaveLength(1)

    await agent.close()
    stream.stop()
    await receiver.stop()
  })

  it('shows visitors their own items as ever, and erases a visitor’s items with their files', async () => {
    const { server } = fixture
    await endTrial(server.client, organizationId)
    const submission = await makeTellingSubmission()
    await submit(server, project.widgetKey, submission)
    const reply = await fetch(`${server.url}/e/${project.widgetKey}/items`, {
      headers: { [VisitorHeaders.key]: visitorKey },
    })
    expect(await reply.json()).toMatchObject({
      items: [{ id: submission.id, number: 1, excerpt: `The ${secret} does nothing.`, replies: [] }],
    })
    // Nor do those learn of it for whom the site vouches.
    const signed = await sign('customer-1')
    const vouched = makeSubmission({ visitor: { id: 'customer-1', hash: signed[VisitorHeaders.hash] } })
    await submit(server, project.widgetKey, vouched)
    const own = await fetch(`${server.url}/e/${project.widgetKey}/items`, { headers: signed })
    expect(await own.json()).toMatchObject({ items: [{ id: vouched.id, excerpt: vouched.message }] })
    const customer = { id: randomUUID(), visitor: 'customer-1', confirmation: 'customer-1' }
    expect((await call('/visitors/erasures', { body: customer })).status).toBe(201)
    const visitor = `${secret}@example.org`
    const body = { id: randomUUID(), visitor, confirmation: visitor }
    expect((await call('/visitors/erasures', { body })).status).toBe(201)
    for (const { id } of [submission, vouched])
      await eventually(async () => (await call(`/feedback/${id}`)).status).toBe(404)
    const count = async () =>
      (
        await query(
          `select (select count(*) from app.locked_feedback where organization_id = $1)
             + (select count(*) from uploads where organization_id = $1) as n`,
          [organizationId],
        )
      ).rows[0]?.n
    await eventually(async () => Number(await count())).toBe(0)
  })
})

describe('feedback over the limit of a plan', () => {
  it('is locked from the first item beyond it, and unlocked oldest first when the limit is raised', async () => {
    const key = await makePlan(2)
    await subscribeTo(key)
    const ids: string[] = []
    for (const message of ['one', 'two', 'three', 'four']) {
      const submission = makeSubmission({ message })
      ids.push(submission.id)
      expect((await submit(fixture.server, project.widgetKey, submission)).status).toBe(201)
    }
    const read = async () => Promise.all(ids.map(async (id) => (await readItem(id)).message))
    expect(await read()).toEqual(['one', 'two', '', ''])
    await query('update plans set max_items_per_month = 3 where key = $1', [key])
    await eventually(read).toEqual(['one', 'two', 'three', ''])
    await settle()
    expect(await read()).toEqual(['one', 'two', 'three', ''])
    await subscribeTo('business')
    await eventually(read).toEqual(['one', 'two', 'three', 'four'])
    const { rows } = await query('select received, counted from item_months where organization_id = $1', [
      organizationId,
    ])
    expect(rows).toEqual([{ received: '4', counted: '4' }])
  })

  it('stays locked in a new month, which has room of its own', async () => {
    await subscribeTo(await makePlan(1))
    for (const message of ['one', 'two']) await send({ message })
    const move = (table: string) =>
      query(`update ${table} set month = month - interval '1 month' where organization_id = $1`, [organizationId])
    await move('item_months')
    await move('app.locked_feedback')
    const { rows } = await query('select app.unlock_feedback($1, 10) as n', [organizationId])
    expect(rows).toEqual([{ n: 0 }])
    await send({ message: 'three' })
    expect((await listItems()).map(({ excerpt }) => excerpt).toSorted()).toEqual(['', 'one', 'three'])
  })

  it('leaves out items of the trial, and spam', async () => {
    await send({ message: 'of the trial' })
    await subscribeTo(await makePlan(1))
    await send({ message: 'one' })
    const spam = makeSubmission({ message: 'spam' })
    const batch = [{ ...(await readBatchRow()), id: spam.id, message: 'spam', spam_reason: 'marked' }]
    await query('select * from app.store_submissions($1)', [JSON.stringify(batch)])
    expect((await readItem(spam.id)).message).toBe('spam')
    await send({ message: 'two' })
    expect((await listItems()).map(({ excerpt }) => excerpt).toSorted()).toEqual(['', 'of the trial', 'one'])
  })

  it('leaves one readable of 50 that two projects receive at once, one below the limit', async () => {
    await subscribeTo(await makePlan(1))
    const other = await createProject(fixture.server.client, { organizationId })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send({}, index % 2 === 0 ? project.widgetKey : other.widgetKey)),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    const items = await listItems()
    expect(items).toHaveLength(50)
    expect(items.filter(({ locked }) => !locked)).toHaveLength(1)
  })

  it('counts and locks the rows of an imported file, and tells of them when they are unlocked', async () => {
    await subscribeTo(await makePlan(1))
    const id = randomUUID()
    await call('/imports', { body: { id, projectId: project.id, name: 'ideas.csv' } })
    const sent = await fetch(`${fixture.server.url}/api/v1/organizations/${organizationId}/imports/${id}/file`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: `Message\nDark mode\nIt ${secret}`,
    })
    const state = async () => ((await (await call(`/imports/${id}`)).json()) as Import).state
    await call(`/imports/${id}/check`, { body: ((await sent.json()) as Import).layout?.suggestion })
    await eventually(state).toBe('checked')
    await call(`/imports/${id}/start`, { method: 'POST' })
    await eventually(state).toBe('imported')
    const read = async () => (await listItems()).map(({ excerpt }) => excerpt).toSorted()
    expect(await read()).toEqual(['', 'Dark mode'])
    await subscribeTo('starter')
    await eventually(read).toEqual(['Dark mode', `It ${secret}`])
    await eventually(async () => (await listItems(`&q=${secret}`)).length).toBe(1)
  })

  it('is unlocked once by jobs that run at the same time, and by one that continues a killed one', async () => {
    await endTrial(fixture.server.client, organizationId)
    await Promise.all(Array.from({ length: 30 }, () => send()))
    const clients = [1, 2].map(() => new pg.Client({ connectionString: fixture.server.databaseUrl }))
    await Promise.all(clients.map((client) => client.connect()))
    await query(`update organizations set subscription_status = 'self_hosted', trial_ends_at = null where id = $1`, [
      organizationId,
    ])
    const [one, two] = clients
    // The first is killed with its batch.
    await one?.query('begin')
    await one?.query('select app.unlock_feedback($1, 10)', [organizationId])
    await one?.query('rollback')
    const unlock = async (client: pg.Client | undefined) => {
      while (Number((await client?.query('select app.unlock_feedback($1, 7) as n', [organizationId]))?.rows[0]?.n) > 0);
    }
    await Promise.all([unlock(one), unlock(two)])
    await Promise.all(clients.map((client) => client.end()))
    expect((await listItems()).filter(({ locked }) => locked)).toEqual([])
    const { rows } = await query(
      `select id from app.events e cross join unnest(e.ids) as i (feedback_id)
       where e.organization_id = $1 and e.name = 'feedback.created'`,
      [organizationId],
    )
    expect(rows).toHaveLength(30)
  })
})
