import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { CreatedIntegration, Integration } from '#contract/integrations.ts'
import type { IssueLink } from '#contract/issue-links.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import type { IssuePreview, TrackerStatus } from '#contract/issue-preview.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { type MailCatcher, startMailCatcher } from '#doubles/mail.ts'
import {
  type BuiltUser,
  createFeedback,
  createProject,
  createUser,
  createWorkingKey,
} from '#server/testing/builders.ts'
import { type Receiver, startReceiver } from '#server/testing/receiver.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { IntegrationDefinition } from '../define-integration.ts'
import { integrationDefinitions } from '../registry.ts'
import { board, boardStatuses, type Card } from './board.example.ts'

/* A board with several statuses of a stage, over real HTTP, and emails over real SMTP. */

// Only tests change the list, and put it back: files of one worker share their modules.
const definitions = integrationDefinitions as IntegrationDefinition[]

let mails: MailCatcher
let server: TestServer
let receiver: Receiver
let cards: Map<string, Card>
let statuses: readonly TrackerStatus[]
let owner: BuiltUser
let session: string
let organizationId: string
let projectId: string

beforeAll(async () => {
  definitions.push(board)
  mails = await startMailCatcher({ smtpPort: await findFreePort(), webPort: await findFreePort() })
  server = await startTestServer({ SERVICES: 'web,worker', SMTP_URL: mails.smtpUrl })
})
afterAll(async () => {
  definitions.splice(definitions.indexOf(board), 1)
  await server.stop()
  await mails.stop()
})

beforeEach(async () => {
  owner = await createUser(server.client, { fullName: 'Grace Hopper' })
  organizationId = owner.organizationId ?? ''
  session = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId, name: 'Shop' })).id
  receiver = await startReceiver()
  cards = new Map()
  statuses = boardStatuses
  receiver.answer(({ method, path, body }, response) => {
    const json = (value: unknown) => response.writeHead(200).end(JSON.stringify(value))
    if (path === '/statuses') return json(statuses)
    if (method === 'POST') {
      const card = { ...JSON.parse(body), id: String(cards.size + 1), statusId: 's1' }
      cards.set(card.id, card)
      return json(card)
    }
    const card = cards.get(path.split('/')[2] ?? '')
    if (!card) return response.writeHead(404).end()
    if (method === 'PATCH') cards.set(card.id, { ...card, ...JSON.parse(body) })
    return json(cards.get(card.id))
  })
  return () => receiver.stop()
})

const send = (path: string, options: { method?: string; body?: unknown } = {}) =>
  server.call(`/api/v1/organizations/${organizationId}${path}`, { token: session, ...options })

async function call<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await send(path, options)
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  // Our own server's answer, by its contract.
  return (reply.status === 204 ? null : await reply.json()) as T
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 50 })
const connect = (mapping: IssueMapping = {}) =>
  call<CreatedIntegration>('/integrations', { body: { type: 'board', config: { url: receiver.url }, mapping } })

async function makeItem(message = 'The basket empties itself.'): Promise<string> {
  return (await createFeedback(server.client, { organizationId, projectId, message })).id
}

const change = (id: string, body: unknown) => call<FeedbackDetail>(`/feedback/${id}`, { method: 'PATCH', body })
const readStatus = async (id: string) => (await call<FeedbackDetail>(`/feedback/${id}`)).status

async function link(itemId: string, integrationId: string): Promise<Card> {
  await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
  await until(async () => {
    const [found] = (await call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items
    expect(found).toMatchObject({ state: 'linked' })
  })
  const card = [...cards.values()].at(-1)
  if (!card) throw new Error('the board got no card')
  return card
}

const statusOfCard = ({ id }: Card) => cards.get(id)?.statusId

/** Someone moves a card, and the board calls Earshot. */
async function move({ id, secret = '' }: CreatedIntegration, card: Card, statusId: string): Promise<void> {
  cards.set(card.id, { ...card, statusId })
  const reply = await fetch(`${server.url}/api/v1/hooks/${organizationId}/${id}`, {
    method: 'POST',
    headers: {
      'content-type': 'text/plain',
      'x-id': crypto.randomUUID(),
      'x-signature': createHmac('sha256', secret).update(card.id).digest('hex'),
    },
    body: card.id,
  })
  expect(reply.status).toBe(204)
}

/** Until every synchronisation that was asked for has run. */
const settle = () =>
  until(async () => {
    const { rows } = await server.client.query(
      `select event_name from deliveries where organization_id = $1 and state = 'waiting'
       union all select task_identifier from graphile_worker.jobs where task_identifier like 'event:%'
       union all select name from app.events where organization_id = $1 and dispatched_at is null`,
      [organizationId],
    )
    expect(rows).toEqual([])
  })

describe('a mapping of statuses', () => {
  it('gives issues the selected status of each stage, and reads statuses as the owner classifies them', async () => {
    const integration = await connect({
      statuses: { todo: 's2' },
      stages: [{ statusId: 's4', stage: 'done' }],
    })
    const itemId = await makeItem()
    const card = await link(itemId, integration.id)
    // A new item is “New”, which is a stage with Open.
    await until(() => expect(statusOfCard(card)).toBe('s2'))
    await change(itemId, { status: 'in_progress' })
    await until(() => expect(statusOfCard(card)).toBe('s3'))
    // “Review” counts as resolved.
    await move(integration, card, 's4')
    await until(async () => expect(await readStatus(itemId)).toBe('resolved'))
    await settle()
    expect(statusOfCard(card)).toBe('s4')
    await change(itemId, { status: 'open' })
    await until(() => expect(statusOfCard(card)).toBe('s2'))
    await change(itemId, { status: 'resolved' })
    // The tracker's own “Done”, not the first that counts so.
    await until(() => expect(statusOfCard(card)).toBe('s5'))
  })

  it('leaves a card that is moved within its stage where it is', async () => {
    const integration = await connect({ statuses: { started: 's3' } })
    const itemId = await makeItem()
    await change(itemId, { status: 'in_progress' })
    const card = await link(itemId, integration.id)
    await until(() => expect(statusOfCard(card)).toBe('s3'))
    await move(integration, card, 's4')
    await settle()
    await change(itemId, { priority: 'high' })
    await settle()
    expect([statusOfCard(card), await readStatus(itemId)]).toEqual(['s4', 'in_progress'])
  })

  it('keeps an item in its stage when two stages have one status', async () => {
    const integration = await connect({ statuses: { todo: 's3', started: 's3' } })
    const itemId = await makeItem()
    const card = await link(itemId, integration.id)
    await until(() => expect(statusOfCard(card)).toBe('s3'))
    await settle()
    expect(await readStatus(itemId)).toBe('new')
    await change(itemId, { status: 'in_progress' })
    await settle()
    expect([statusOfCard(card), await readStatus(itemId)]).toEqual(['s3', 'in_progress'])
  })

  it('uses the tracker’s first status of the stage when the selected one was deleted', async () => {
    const integration = await connect({ statuses: { started: 'gone' } })
    const itemId = await makeItem()
    await change(itemId, { status: 'in_progress' })
    const card = await link(itemId, integration.id)
    await until(() => expect(statusOfCard(card)).toBe('s3'))
  })
})

describe('a mapping of fields', () => {
  it('writes type, priority, tags and project as labels, and hands on priority and assignee', async () => {
    const mapping = {
      labels: { type: true, priority: true, tags: true, project: true },
      priority: true,
      assignee: true,
    }
    const integration = await connect(mapping)
    expect(integration.mapping).toEqual(mapping)
    const itemId = await makeItem()
    await change(itemId, { priority: 'high', tags: ['checkout', 'Shop'], assigneeId: owner.id })
    const card = await link(itemId, integration.id)
    expect(card).toMatchObject({
      labels: ['bug', 'priority:high', 'checkout', 'Shop'],
      priority: 'high',
      assigneeEmail: owner.email,
    })
    await call(`/integrations/${integration.id}`, { method: 'PATCH', body: { mapping: {} } })
    const plain = await makeItem()
    await change(plain, { priority: 'high', assigneeId: owner.id })
    expect(await link(plain, integration.id)).toMatchObject({ labels: [], priority: null, assigneeEmail: null })
  })

  it('is refused where the service takes no such thing, naming the field', async () => {
    const refuse = async (path: string, method: string, body: unknown) => {
      const reply = await send(path, { method, body })
      return [reply.status, ((await reply.json()) as { fields?: { path: string }[] }).fields?.map(({ path }) => path)]
    }
    const { id } = await connect()
    const path = `/integrations/${id}`
    const stages = [{ statusId: 's1', stage: 'done' }]
    expect(await refuse(path, 'PATCH', { mapping: { stages: [...stages, ...stages] } })).toEqual([
      400,
      ['body.mapping.stages.1.statusId'],
    ])
    expect(await refuse(path, 'PATCH', { mapping: { statuses: { later: 's1' } } })).toEqual([
      400,
      [expect.stringContaining('body.mapping.statuses')],
    ])
    const webhook = { type: 'webhook', config: { url: receiver.url }, mapping: { priority: true } }
    expect(await refuse('/integrations', 'POST', webhook)).toEqual([400, ['body.mapping.priority']])
    const { rows } = await server.client.query(
      `insert into integrations (organization_id, type, name, settings, secrets, event_names, is_tracker, created_by)
       values ($1, 'github', 'GitHub', '{"repository": "acme/web"}', 'v1.none', '{feedback.created}', true, $2) returning id`,
      [organizationId, owner.id],
    )
    expect(await refuse(`/integrations/${rows[0].id}`, 'PATCH', { mapping: { assignee: true } })).toEqual([
      400,
      ['body.mapping.assignee'],
    ])
    expect((await send(`/integrations/${rows[0].id}/statuses`)).status).toBe(409)
  })
})

describe('the preview of an issue', () => {
  const preview = async (id: string, body: object = {}) =>
    (await call<{ issue: IssuePreview | null }>(`/integrations/${id}/preview`, { body })).issue

  it('shows the newest matching item as the issue that it would become, and creates none', async () => {
    const { id } = await connect({ labels: { type: true }, statuses: { todo: 's2' } })
    await call(`/integrations/${id}`, { method: 'PATCH', body: { rules: { type: ['bug'] } } })
    expect(await preview(id)).toBeNull()
    const older = await makeItem('Older <b>item</b>')
    const newer = await makeItem('Newer item')
    await createFeedback(server.client, { organizationId, projectId, type: 'idea', message: 'Not selected' })
    await change(newer, { assigneeId: owner.id, priority: 'urgent' })
    expect(await preview(id)).toMatchObject({
      feedbackId: newer,
      number: 2,
      projectName: 'Shop',
      title: 'Newer item',
      body: expect.stringContaining('> Newer item'),
      labels: ['bug'],
      priority: null,
      assignee: null,
      status: { id: 's2', name: 'Triage', stage: 'todo' },
      statusFailure: null,
    })
    // A mapping that is not stored yet, and another item.
    expect(await preview(id, { feedbackId: older, mapping: {} })).toMatchObject({
      title: 'Older <b>item</b>',
      body: expect.stringContaining('\\<b\\>'),
      labels: [],
      status: { id: 's1' },
    })
    const whole = { labels: { priority: true }, priority: true, assignee: true }
    expect(await preview(id, { mapping: whole })).toMatchObject({
      labels: ['priority:urgent'],
      priority: 'urgent',
      assignee: { email: owner.email, name: 'Grace Hopper' },
    })
    expect((await send(`/integrations/${id}/preview`, { body: { feedbackId: crypto.randomUUID() } })).status).toBe(404)
    expect(cards.size).toBe(0)
    expect((await call<Integration & { items: Integration[] }>('/integrations')).items[0]?.mapping).toEqual({
      labels: { type: true },
      statuses: { todo: 's2' },
    })
  })

  it('says that the tracker does not answer, and shows the rest', async () => {
    const { id } = await connect()
    const itemId = await makeItem()
    expect(await call(`/integrations/${id}/statuses`)).toEqual({ items: boardStatuses })
    receiver.answer((_, response) => response.writeHead(503).end())
    const reply = await send(`/integrations/${id}/statuses`)
    expect([reply.status, ((await reply.json()) as { detail: string }).detail]).toEqual([
      422,
      expect.stringContaining('503'),
    ])
    expect(await preview(id)).toMatchObject({
      feedbackId: itemId,
      title: 'The basket empties itself.',
      status: null,
      statusFailure: expect.stringContaining('503'),
    })
  })
})

describe('the email about resolved feedback', () => {
  async function makeVisitorItem(address: string, more: Record<string, string> = {}): Promise<string> {
    const id = await makeItem('It <i>jumps</i>. See evil.example')
    const set = Object.entries({ visitor_email: address, ...more })
    await server.client.query(
      `update feedback set ${set.map(([name], at) => `${name} = $${at + 2}`).join(', ')} where id = $1`,
      [id, ...set.map(([, value]) => value)],
    )
    return id
  }
  const address = (name: string) => `${name}-${organizationId.slice(0, 8)}@example.org`
  const countMails = async (to: string) => (await mails.listMails(to)).length
  const allowEmails = () => call(`/projects/${projectId}`, { method: 'PATCH', body: { emailsOnResolve: true } })

  it('is sent once when a member resolves an item, and never again after it was reopened', async () => {
    const to = address('once')
    const itemId = await makeVisitorItem(to)
    // Off by default.
    await change(itemId, { status: 'resolved' })
    await settle()
    await change(itemId, { status: 'open' })
    await allowEmails()
    await Promise.all([change(itemId, { status: 'resolved' }), change(itemId, { status: 'resolved' })])
    const mail = await mails.waitForMail(to)
    expect(mail.subject).toMatch(/^Shop: your message #\d+$/)
    expect(mail.text).toContain('The team of Shop marked your message')
    expect(mail.html).toContain('It &lt;i&gt;jumps&lt;/i&gt;')
    expect(mail.text).not.toContain('evil.example')
    const token = /\/conversation\/([\w-]{64})/.exec(mail.links.join(' '))?.[1]
    const conversation = await fetch(`${server.url}/api/v1/conversations/${token}`)
    expect(await conversation.json()).toMatchObject({ status: 'resolved', projectName: 'Shop' })
    await change(itemId, { status: 'open' })
    await change(itemId, { status: 'resolved' })
    // A later email shows that there was time for another.
    const later = address('later')
    await change(await makeVisitorItem(later), { status: 'resolved' })
    await mails.waitForMail(later)
    await settle()
    expect(await countMails(to)).toBe(1)
    const { history } = await call<FeedbackDetail>(`/feedback/${itemId}`)
    expect(history.at(-1)).toMatchObject({ field: 'status', to: 'resolved' })
  })

  it('is sent once when a tracker and a member resolve an item', async () => {
    await allowEmails()
    const integration = await connect()
    const to = address('tracker')
    const itemId = await makeVisitorItem(to)
    const card = await link(itemId, integration.id)
    await move(integration, card, 's5')
    await mails.waitForMail(to)
    expect(await readStatus(itemId)).toBe('resolved')
    await change(itemId, { status: 'open' })
    await until(() => expect(statusOfCard(card)).toBe('s1'))
    await Promise.all([change(itemId, { status: 'resolved' }), move(integration, card, 's6')])
    await settle()
    expect(await countMails(to)).toBe(1)
  })

  it('is sent once for an item that members and an API key resolve at the same time, and to visitors of merged items', async () => {
    await allowEmails()
    const token = await createWorkingKey(server.client, { organizationId, projectId })
    const [to, merged] = [address('many'), address('merged')]
    const itemId = await makeVisitorItem(to)
    const duplicate = await makeVisitorItem(merged)
    await server.client.query('update feedback set merged_into = $2 where id = $1', [duplicate, itemId])
    for (const status of ['resolved', 'open', 'resolved', 'open', 'resolved']) {
      const byKey = server.call(`/api/v1/feedback/${itemId}`, { method: 'PATCH', token, body: { status } })
      const replies = await Promise.all([byKey, ...[1, 2].map(() => change(itemId, { status }))])
      expect(replies[0].status).toBe(200)
    }
    await mails.waitForMail(to)
    await mails.waitForMail(merged)
    await settle()
    expect([await countMails(to), await countMails(merged)]).toEqual([1, 1])
    const { rows } = await server.client.query(
      `select kind, sender_name from app.emails where to_address = any ($1) group by 1, 2`,
      [[to, merged]],
    )
    expect(rows).toEqual([{ kind: 'feedback_resolved', sender_name: 'Shop' }])
  })

  it('is not sent for spam, imported or closed items, items in the trash, and without an address', async () => {
    await allowEmails()
    const none = address('none')
    const resolved = { status: 'resolved' }
    const left = [
      [await makeVisitorItem(none, { spam_reason: 'honeypot' }), resolved],
      [await makeVisitorItem(none, { source: 'import' }), resolved],
      [await makeVisitorItem(none), { status: 'closed', closedReason: 'wont_fix' }],
      [await makeVisitorItem(none, { deleted_at: new Date().toISOString() }), resolved],
      [await makeVisitorItem('no address'), resolved],
      [await makeItem(), resolved],
    ] as const
    for (const [id, body] of left) await change(id, body)
    const later = address('after')
    await change(await makeVisitorItem(later), resolved)
    await mails.waitForMail(later)
    await settle()
    expect(await countMails(none)).toBe(0)
    const { rows } = await server.client.query('select 1 from resolution_emails where organization_id = $1', [
      organizationId,
    ])
    expect(rows).toHaveLength(1)
  })

  it('waits for the limit that it shares with replies, and is sent then', async () => {
    await allowEmails()
    const to = address('limit')
    const itemId = await makeVisitorItem(to)
    // Of 2,000 a day none is left; the next is granted in a second.
    await server.client.query(
      `insert into app.rate_limits (name, key_hash, full_at)
       values ('reply', sha256(convert_to($1, 'UTF8')), now() + interval '1 day' - interval '43.2 s' + interval '1 s')`,
      [organizationId],
    )
    await change(itemId, { status: 'resolved' })
    await until(async () => {
      const { rows } = await server.client.query(
        `select from graphile_worker.jobs where task_identifier = 'email_resolutions' and run_at > now()`,
      )
      expect(rows).toHaveLength(1)
    })
    expect(await countMails(to)).toBe(0)
    await mails.waitForMail(to)
  })
})
