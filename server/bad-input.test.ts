import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProblemField } from '#contract/errors.ts'
import type { RouteContract } from '#contract/route.ts'
import { defaultWidgetSettings } from '#contract/widget-settings.ts'
import { createUnsubscribeLinks } from './features/notifications/unsubscribe-link.ts'
import { loadInstanceSecret } from './platform/secret/instance-secret.ts'
import { createFeedback, createProject, createUser } from './testing/builders.ts'
import { contracts } from './testing/contracts.ts'
import { type Hostile, listHostileBodies, listHostileQueries, rawBodies } from './testing/hostile-input.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

/*
 * Every field of every route at its limits, one beyond them, and as everything it must not be. What is refused is
 * refused with the field's name, never with a 5xx, and leaves no trace.
 */
let server: TestServer
let token: string
let params: Record<string, string> = {}
let doomedProjectId: string
let otherNumber: number
/** Whoever calls what ends the caller: one call only. */
const leaver = { email: 'leaver@example.com', token: '' }

beforeAll(async () => {
  const instanceSecret = 'a secret that only this test knows'
  server = await startTestServer({
    INSTANCE_SECRET: instanceSecret,
    API_RATE_PER_MINUTE: '1000000',
    INGEST_RATE_PER_MINUTE: '1000000',
  })
  const secret = await loadInstanceSecret({ dataDir: '', configured: instanceSecret })
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  leaver.token = await server.signIn(await createUser(server.client, { email: leaver.email }))
  const project = await createProject(server.client, { organizationId })
  const item = await createFeedback(server.client, { organizationId, projectId: project.id })
  token = await server.signIn(owner)
  // Where one call ends what it names.
  const doomed = await createProject(server.client, { organizationId })
  doomedProjectId = doomed.id
  otherNumber = (await createFeedback(server.client, { organizationId, projectId: project.id })).number
  await server.client.query(`update feedback set visitor_email = 'visitor@example.org' where id = $1`, [item.id])
  const body = { id: crypto.randomUUID(), kind: 'reply', text: 'It is mended.' }
  await server.call(`/api/v1/organizations/${organizationId}/feedback/${item.id}/comments`, { token, body })
  const conversationToken = /conversation\/([\w-]+)/.exec((await server.mails()).at(-1)?.text ?? '')?.[1] ?? ''
  const view = { id: crypto.randomUUID(), name: 'Urgent', search: 'priority=urgent', isShared: true }
  await server.call(`/api/v1/organizations/${organizationId}/views`, { token, body: view })
  // Answered by a column of an import; of a project of its own, because others publish what they ask.
  const asking = await createProject(server.client, { organizationId })
  const question = { id: 'plan', kind: 'text', label: 'Plan', required: false }
  await server.client.query(
    `update widgets set settings = jsonb_set(settings, '{fields}', $2::jsonb) where project_id = $1`,
    [asking.id, JSON.stringify([question])],
  )
  const importId = crypto.randomUUID()
  await server.client.query(
    `insert into imports (organization_id, id, project_id, created_by, name) values ($1, $2, $3, $2, 'ideas.csv')`,
    [organizationId, importId, asking.id],
  )
  await fetch(`${server.url}/api/v1/organizations/${organizationId}/imports/${importId}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: 'Message,Plan\nIt jumps.,Free\n',
  })
  params = {
    importId,
    organizationId,
    viewId: view.id,
    projectId: project.id,
    feedbackId: item.id,
    widgetKey: project.widgetKey,
    token: conversationToken,
    subscriptionToken: createUnsubscribeLinks(secret.deriveKey('addresses that unsubscribe')).writeToken({
      organizationId,
      userId: owner.id,
      list: 'personal',
    }),
  }
})

afterAll(() => server.stop())

/** A body that each route accepts, new at every call. */
const validBodies: Record<string, () => Record<string, unknown>> = {
  createImport: () => ({ id: crypto.randomUUID(), projectId: params.projectId, name: 'ideas.csv' }),
  checkImport: () => ({
    columns: [
      { column: 0, field: 'message' },
      { column: 1, field: 'answer', question: 'plan' },
    ],
    defaultType: 'idea',
  }),
  createExport: () => ({ id: crypto.randomUUID(), format: 'zip', selection: { status: ['new'], q: 'basket' } }),
  createProject: () => ({ name: 'Shop', domain: `site-${crypto.randomUUID()}.example` }),
  updateFeedback: () => ({ status: 'closed', closedReason: 'wont_fix', priority: 'high', viewed: true }),
  markNotices: () => ({ read: true, all: true }),
  updateNotificationPreferences: () => ({
    timeZone: 'Europe/Berlin',
    mutedMails: ['personal'],
    projects: [{ projectId: crypto.randomUUID(), newFeedback: { mail: 'hourly' }, assigned: { app: false } }],
  }),
  updateMailContent: () => ({ mailsHoldWords: true }),
  updateSubscription: () => ({ isSubscribed: true }),
  createInvitation: () => ({ email: `${crypto.randomUUID()}@example.com`, role: 'member' }),
  setAvatar: () => ({
    mime: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  }),
  deleteAccount: () => ({ email: leaver.email }),
  updateProject: () => ({
    name: 'Shop',
    domain: `site-${crypto.randomUUID()}.example`,
    extraOrigins: ['shop.example', 'help.example'],
    archived: false,
    retentionDays: 90,
  }),
  deleteProject: () => ({ name: 'Website' }),
  eraseVisitor: () => ({ id: crypto.randomUUID(), visitor: 'nobody', confirmation: 'nobody' }),
  emptyTrash: () => ({ ids: [crypto.randomUUID()] }),
  mergeFeedback: () => ({ number: otherNumber }),
  unmergeFeedback: () => ({ take: [crypto.randomUUID()] }),
  addAnswer: () => ({ id: crypto.randomUUID(), text: 'It works now.', solved: false }),
  addComment: () => ({ id: crypto.randomUUID(), kind: 'reply', text: 'It is mended.' }),
  saveWidgetDraft: () => ({
    ...defaultWidgetSettings,
    fields: [{ id: 'plan', kind: 'select', label: 'Your plan', required: true, options: ['Free', 'Paid'] }],
    consent: { text: 'You may write to me.', required: true },
    privacy: { ...defaultWidgetSettings.privacy, mask: ['.card'] },
    contactEmail: 'help@example.com',
    texts: { en: { title: 'Tell us' } },
  }),
  startBulkOperation: () => ({
    id: crypto.randomUUID(),
    ids: [crypto.randomUUID()],
    selection: {
      projectId: [crypto.randomUUID()],
      status: ['new'],
      priority: ['none'],
      type: ['bug'],
      source: ['widget'],
      media: ['text'],
      rating: [1],
      tag: ['checkout'],
      assignee: ['none'],
      unread: true,
      visitor: 'u_1',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      place: 'inbox',
      q: 'basket',
    },
    change: {
      status: 'closed',
      closedReason: 'wont_fix',
      priority: 'high',
      assigneeId: null,
      addTags: ['checkout'],
      removeTags: ['basket'],
      archived: false,
      spam: false,
      deleted: false,
      viewed: true,
    },
  }),
  createSavedView: () => ({ id: crypto.randomUUID(), name: 'Urgent', search: 'priority=urgent', isShared: true }),
  updateSavedView: () => ({ name: 'Urgent', search: 'priority=urgent', isShared: true }),
  announcePresence: () => ({ pageId: crypto.randomUUID(), feedbackId: null }),
  publishWidget: () => ({}),
  undoWidgetPublish: () => ({}),
  rotateIdentitySecret: () => ({}),
  submitFeedback: () => ({
    id: crypto.randomUUID(),
    type: 'bug',
    message: 'It jumps.',
    rating: 3,
    nps: 9,
    fields: { plan: 'Free', agreed: true },
    consent: true,
    tags: ['checkout'],
    visitor: { id: 'u_1', hash: 'ab'.repeat(32) },
    visitorKey: 'AAAAAAAAAAAAAAAAAAAAAA',
    attachments: [{ id: crypto.randomUUID(), kind: 'screenshot', name: 'page.png', durationMs: 0 }],
    guard: { elapsedMs: 20_000, website: '' },
    email: 'visitor@example.org',
    name: 'Grace',
    page: { url: 'https://shop.example/', title: 'Shop' },
    context: { a: 1 },
    metadata: { b: 2 },
  }),
}

/** What a route has to be asked, whatever else. */
const requiredQueries: Record<string, string> = {
  getVisitor: 'visitor=u_1',
  listVisitorFeedback: 'visitor=u_1',
  exportVisitor: 'visitor=u_1',
}

async function send(
  contract: RouteContract,
  options: { query?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
) {
  const ids = contract.operationId === 'deleteProject' ? { ...params, projectId: doomedProjectId } : params
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
  const reply = await fetch(`${server.url}${path}${options.query ?? ''}`, {
    method: contract.method,
    headers: {
      ...(contract.access.kind !== 'public' && { authorization: `Bearer ${token}` }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: options.body }),
  })
  const text = await reply.text()
  return { status: reply.status, text, problem: parseProblem(text) }
}

function parseProblem(text: string): { code?: string; fields?: ProblemField[] } {
  try {
    return JSON.parse(text) as { code?: string; fields?: ProblemField[] }
  } catch {
    return {}
  }
}

/** All that a route could have written. */
async function fingerprint(): Promise<unknown> {
  const { rows } = await server.client.query(
    `select
       (select count(*) from feedback) as feedback, (select count(*) from projects) as projects,
       (select count(*) from widgets) as widgets, (select count(*) from audit_log) as audit,
       (select coalesce(sum(version), 0) from feedback) as versions, (select count(*) from feedback_events) as events,
       (select count(*) from graphile_worker.jobs) as jobs, (select count(*) from feedback_comments) as comments,
       (select count(*) from feedback_attachments) as attachments, (select count(*) from widget_versions) as published,
       (select array_agg(draft_token) from widgets) as drafts, (select count(*) from feedback_operations) as operations,
       (select array_agg(v order by v.id)::text from saved_views v) as views, (select count(*) from presence) as presence`,
  )
  return rows[0]
}

async function expectRefusal(contract: RouteContract, hostile: Hostile, query = false): Promise<void> {
  const before = await fingerprint()
  const answer = await send(contract, query ? { query: `?${hostile.text}` } : { body: hostile.text })
  const told = `${hostile.name}: ${answer.status} ${answer.text.slice(0, 300)}`
  expect(answer.status, told).toBeLessThan(500)
  if (answer.status < 300) {
    expect(hostile.mayPass, told).toBe(true)
    return
  }
  expect(answer.status, told).toBeGreaterThanOrEqual(400)
  if (answer.status === 400 && answer.problem.code === 'validation_failed') {
    const path = answer.problem.fields?.[0]?.path ?? ''
    expect(path.startsWith(hostile.field), `${told} should name ${hostile.field}`).toBe(true)
    expect(answer.problem.fields?.[0]?.message).toBeTruthy()
  }
  expect(await fingerprint(), told).toEqual(before)
}

describe.each(
  contracts.filter((contract) => contract.body).map((contract) => ({ contract, name: contract.operationId })),
)('body of $name', ({ contract, name }) => {
  const valid = validBodies[name]
  if (!valid || !contract.body) throw new Error(`say in this file what a valid body of ${name} is`)

  it('passes when valid', async () => {
    const headers = name === 'deleteAccount' ? { authorization: `Bearer ${leaver.token}` } : {}
    const answer = await send(contract, { body: JSON.stringify(valid()), headers })
    expect(answer.status, answer.text).toBeLessThan(300)
  })

  it.each(listHostileBodies(contract.body, valid).map((make) => ({ make, field: make().name })))(
    '$field',
    async ({ make }) => {
      await expectRefusal(contract, make())
    },
  )

  it.each(rawBodies)('$name', async ({ body, headers, statuses }) => {
    const before = await fingerprint()
    const answer = await send(contract, { body, ...(headers && { headers }) })
    expect(statuses, answer.text.slice(0, 300)).toContain(answer.status)
    expect(await fingerprint()).toEqual(before)
  })
})

describe.each(
  contracts.filter((contract) => contract.query).map((contract) => ({ contract, name: contract.operationId })),
)('query of $name', ({ contract }) => {
  if (!contract.query) throw new Error('filtered above')
  it.each(listHostileQueries(contract.query))('$name', async (hostile) => {
    const required = requiredQueries[contract.operationId]
    const isAlone = required === undefined || hostile.text.startsWith(required.split('=')[0] ?? '')
    await expectRefusal(contract, isAlone ? hostile : { ...hostile, text: `${required}&${hostile.text}` }, true)
  })
})

describe('a body that breaks off', () => {
  it('is refused and stores nothing', async () => {
    const before = await fingerprint()
    const { createConnection } = await import('node:net')
    const { hostname, port } = new URL(server.url)
    const path = `/e/${params.widgetKey}/submissions`
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port) }, () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"id":`,
        )
        socket.end()
      })
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer), answer).toBe(true)
    expect(await fingerprint()).toEqual(before)
  })

  it('that says two lengths is no request', async () => {
    const { createConnection } = await import('node:net')
    const { hostname, port } = new URL(server.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port) }, () => {
        socket.write(
          'POST /api/v1/config HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        )
      })
      socket.on('data', (chunk) => {
        resolve(chunk.toString())
        socket.destroy()
      })
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('application/problem+json')
  })
})
