import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProblemField } from '#contract/errors.ts'
import type { RouteContract } from '#contract/route.ts'
import { createKey } from './features/api-keys/key-format.ts'
import { createUnsubscribeLinks } from './features/notifications/unsubscribe-link.ts'
import { sampleClientId } from './features/oauth/oauth.facts.ts'
import { loadInstanceSecret } from './platform/secret/instance-secret.ts'
import { createApiKey, createFeedback, createMember, createProject, createUser } from './testing/builders.ts'
import { contracts } from './testing/contracts.ts'
import { routes } from './testing/gather-facts.ts'
import { type Hostile, listHostileBodies, listHostileQueries, rawBodies } from './testing/hostile-input.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

/*
 * Every field of every route at its limits, one beyond them, and with every wrong type. Refusals name the field, are
 * never a 5xx, and store nothing.
 */
let server: TestServer
let token: string
/** Of the same project. */
let apiKey: string
let params: Record<string, string> = {}
let doomedProjectId: string
let otherNumber: number
/** Routes that end the caller's session: called once. */
const leaver = { email: 'leaver@example.com', token: '' }

beforeAll(async () => {
  const instanceSecret = 'a secret that only this test knows'
  server = await startTestServer({
    INSTANCE_SECRET: instanceSecret,
    API_RATE_PER_MINUTE: '1000000',
    API_KEY_RATE_PER_MINUTE: '1000000',
    INGEST_RATE_PER_MINUTE: '1000000',
  })
  const secret = await loadInstanceSecret({ dataDir: '', configured: instanceSecret })
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  leaver.token = await server.signIn(await createUser(server.client, { email: leaver.email }))
  const project = await createProject(server.client, { organizationId })
  const item = await createFeedback(server.client, { organizationId, projectId: project.id })
  token = await server.signIn(owner)
  apiKey = createKey()
  await createApiKey(server.client, { organizationId, projectId: project.id, key: apiKey })
  const keyId = await createApiKey(server.client, { organizationId, projectId: project.id })
  // Where one call ends what it names.
  const doomed = await createProject(server.client, { organizationId })
  doomedProjectId = doomed.id
  otherNumber = (await createFeedback(server.client, { organizationId, projectId: project.id })).number
  await server.client.query(`update feedback set visitor_email = 'visitor@example.org' where id = $1`, [item.id])
  // Visitors to merge.
  for (const visitorId of ['made', 'part']) {
    const { id } = await createFeedback(server.client, { organizationId, projectId: project.id })
    await server.client.query('update feedback set visitor_id = $2 where id = $1', [id, visitorId])
  }
  const body = { id: crypto.randomUUID(), kind: 'reply', text: 'It is mended.' }
  await server.call(`/api/v1/organizations/${organizationId}/feedback/${item.id}/comments`, { token, body })
  const conversationToken = /conversation\/([\w-]+)/.exec((await server.mails()).at(-1)?.text ?? '')?.[1] ?? ''
  const view = { id: crypto.randomUUID(), name: 'Urgent', search: 'priority=urgent', isShared: true }
  await server.call(`/api/v1/organizations/${organizationId}/views`, { token, body: view })
  const template = { id: crypto.randomUUID(), name: 'Thanks', text: 'Thank you.' }
  await server.call(`/api/v1/organizations/${organizationId}/reply-templates`, { token, body: template })
  const integrationId = crypto.randomUUID()
  await server.client.query(
    `insert into integrations (organization_id, id, type, name, settings, secrets, event_names, is_tracker, created_by)
     values ($1, $2, 'github', 'GitHub', '{"repository": "acme/web"}', 'v1.none', '{feedback.created}', true, $2)`,
    [organizationId, integrationId],
  )
  const githubAppId = crypto.randomUUID()
  await server.client.query(
    `insert into github_apps (organization_id, id, user_id, session_id, web_url, app_name, page_url, secrets, expires_at)
     values ($1, $2, $2, 'made', 'https://github.com', 'made', 'https://github.com/apps/made', 'v1.none',
       now() + interval '1 day')`,
    [organizationId, githubAppId],
  )
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
    body: 'Message,Plan,State,When,Note\nIt jumps.,Free,fertig,13.11.2026,2\n',
  })
  const { id: userId } = await createMember(server.client, { organizationId, role: 'member' })
  await server.client.query(
    `insert into app.oauth_clients (id, name, redirect_uris) values ($1, 'Agent', '{http://127.0.0.1/callback}')`,
    [sampleClientId],
  )
  const { rows: plans } = await server.client.query<{ id: string }>('select id from plans limit 1')
  const postId = crypto.randomUUID()
  await server.call('/api/v1/superadmin/blog/posts', { token, body: { id: postId, title: 'Made' } })
  const { rows: revisions } = await server.client.query<{ id: string }>('select id from blog_post_revisions limit 1')
  const messageId = crypto.randomUUID()
  await server.client.query(
    `insert into contact_messages (id, topic, name, email, message, is_spam)
     values ($1, 'other', 'Ada', 'ada@example.com', 'Hello', false)`,
    [messageId],
  )
  params = {
    messageId,
    postId,
    revisionId: revisions[0]?.id ?? '',
    planId: plans[0]?.id ?? '',
    userId,
    importId,
    organizationId,
    viewId: view.id,
    templateId: template.id,
    projectId: project.id,
    keyId,
    integrationId,
    githubAppId,
    feedbackId: item.id,
    widgetKey: project.widgetKey,
    token: conversationToken,
    key: 'made',
    figure: 'delay_ms',
    // As the facts make it.
    emailTemplateId: 'magic_link',
    emailRevisionId: '0190c0de-0000-7000-8000-0000000e7e02',
    // As the facts make it: a ban of a member would refuse other calls.
    accountId: '0190c0de-0000-7000-8000-0000000acc01',
    subscriptionToken: createUnsubscribeLinks(secret.deriveKey('addresses that unsubscribe')).writeToken({
      organizationId,
      userId: owner.id,
      list: 'personal',
    }),
  }
})

afterAll(() => server.stop())

/** A body that each route accepts, new at every call. */
function makeBody(operationId: string): Record<string, unknown> {
  const { body, fullBody = body } = routes[operationId] ?? {}
  if (!fullBody) throw new Error(`say in the facts of its noun what a valid body of ${operationId} is`)
  const tag = `site-${crypto.randomUUID()}`
  const memberId = params.userId ?? ''
  return fullBody({
    organizationId: params.organizationId ?? '',
    projectId: params.projectId ?? '',
    feedbackId: params.feedbackId ?? '',
    integrationId: params.integrationId ?? '',
    otherNumber,
    tag,
    leaverEmail: leaver.email,
    memberId,
  }) as Record<string, unknown>
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
      ...(contract.access.kind !== 'public' && {
        authorization: `Bearer ${contract.access.kind === 'api_key' ? apiKey : token}`,
      }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: options.body }),
  })
  const text = await readAnswer(reply)
  const { undo } = routes[contract.operationId] ?? {}
  if (undo) await server.client.query(undo({ organizationId: params.organizationId ?? '' }))
  return { status: reply.status, text, problem: parseProblem(text) }
}

/** An accepted stream of events has no end: it is closed unread. */
async function readAnswer(reply: Response): Promise<string> {
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream')) return reply.text()
  await reply.body?.cancel()
  return ''
}

function parseProblem(text: string): { code?: string; fields?: ProblemField[] } {
  try {
    return JSON.parse(text) as { code?: string; fields?: ProblemField[] }
  } catch {
    return {}
  }
}

/** All that a route could have written. The dispatch of an accepted submission is asked for a moment later. */
async function fingerprint(): Promise<unknown> {
  // Named: planned once for thousands of calls.
  const { rows } = await server.client.query({
    name: 'fingerprint',
    text: `select
       (select count(*) from feedback) as feedback, (select count(*) from projects) as projects,
       (select count(*) from widgets) as widgets, (select count(*) from audit_log) as audit,
       (select coalesce(sum(version), 0) from feedback) as versions, (select count(*) from feedback_events) as events,
       (select count(*) from graphile_worker.jobs where task_identifier <> 'dispatch_events') as jobs, (select count(*) from feedback_comments) as comments,
       (select count(*) from feedback_attachments) as attachments, (select count(*) from widget_versions) as published,
       (select array_agg(draft_token) from widgets) as drafts, (select count(*) from feedback_operations) as operations,
       (select array_agg(v order by v.id)::text from saved_views v) as views,
       (select array_agg(t order by t.id)::text from reply_templates t) as templates, (select count(*) from presence) as presence`,
  })
  return rows[0]
}

/** The fingerprint before the calls in `refused`; undefined after an accepted call. */
let before: unknown
/** Calls refused since that fingerprint. */
let refused: string[] = []
/** Reading a fingerprint takes as long as a refusal: it is read once for so many. */
const refusalsPerFingerprint = 25

/** Fails when one of the calls refused so far has stored something, and names them. */
async function expectNothingStored(): Promise<void> {
  if (refused.length === 0) return
  const names = refused.join('\n')
  refused = []
  expect(await fingerprint(), names).toEqual(before)
}

async function noteRefusal(name: string): Promise<void> {
  refused.push(name)
  if (refused.length >= refusalsPerFingerprint) await expectNothingStored()
}

async function expectRefusal(contract: RouteContract, hostile: Hostile, query = false): Promise<void> {
  // An accepted call stores what it may: those refused before it are judged first.
  if (hostile.mayPass) await expectNothingStored()
  before ??= await fingerprint()
  const answer = await send(contract, query ? { query: `?${hostile.text}` } : { body: hostile.text })
  const told = `${hostile.name}: ${answer.status} ${answer.text.slice(0, 300)}`
  expect(answer.status, told).toBeLessThan(500)
  if (answer.status < 300) {
    expect(hostile.mayPass, told).toBe(true)
    before = undefined
    return
  }
  expect(answer.status, told).toBeGreaterThanOrEqual(400)
  if (answer.status === 400 && answer.problem.code === 'validation_failed') {
    const path = answer.problem.fields?.[0]?.path ?? ''
    expect(path.startsWith(hostile.field), `${told} should name ${hostile.field}`).toBe(true)
    expect(answer.problem.fields?.[0]?.message).toBeTruthy()
  }
  await noteRefusal(`${contract.operationId}, ${told}`)
}

afterAll(expectNothingStored)

describe.each(
  contracts.filter((contract) => contract.body).map((contract) => ({ contract, name: contract.operationId })),
)('body of $name', ({ contract, name }) => {
  if (!contract.body) throw new Error('filtered above')
  const valid = () => makeBody(name)
  valid()

  it('passes when valid', async () => {
    await expectNothingStored()
    before = undefined
    const { renew } = routes[name] ?? {}
    if (renew) await server.client.query(renew({ ...params, organizationId: params.organizationId ?? '' }))
    const headers = name === 'deleteAccount' ? { authorization: `Bearer ${leaver.token}` } : {}
    const answer = await send(contract, { body: JSON.stringify(valid()), headers })
    const { refusal } = routes[name] ?? {}
    if (refusal === undefined) expect(answer.status, answer.text).toBeLessThan(300)
    else expect(answer.text).toContain(refusal)
  })

  it.each(listHostileBodies(contract.body, valid).map((make) => ({ make, field: make().name })))(
    '$field',
    async ({ make }) => {
      await expectRefusal(contract, make())
    },
  )

  it.each(rawBodies)('$name', async ({ name: how, body, headers, statuses }) => {
    before ??= await fingerprint()
    const answer = await send(contract, { body, ...(headers && { headers }) })
    expect(statuses, answer.text.slice(0, 300)).toContain(answer.status)
    await noteRefusal(`${name}, ${how}`)
  })
})

describe.each(
  contracts.filter((contract) => contract.query).map((contract) => ({ contract, name: contract.operationId })),
)('query of $name', ({ contract }) => {
  if (!contract.query) throw new Error('filtered above')
  it.each(listHostileQueries(contract.query))('$name', async (hostile) => {
    const required = routes[contract.operationId]?.query?.split('&') ?? []
    const others = required.filter((each) => !hostile.text.startsWith(each.slice(0, each.indexOf('='))))
    await expectRefusal(contract, { ...hostile, text: [...others, hostile.text].join('&') }, true)
  })
})

describe('a body that breaks off', () => {
  it('is refused and stores nothing', async () => {
    const stored = await fingerprint()
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
    expect(await fingerprint()).toEqual(stored)
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
