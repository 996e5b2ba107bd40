import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DeliveryDetail } from '#contract/deliveries.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { CreatedIntegration, Integration } from '#contract/integrations.ts'
import type { IssueLink } from '#contract/issue-links.ts'
import { readText } from '#doubles/check-atlassian-document.ts'
import { type JiraDouble, startJiraDouble } from '#doubles/jira.ts'
import { type JiraSite, writeParagraph } from '#doubles/jira-site.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { jira } from './jira.ts'

/* Jira as its double answers, which takes what Atlassian documents: issues, comments and signed webhooks over real HTTP. */

let double: JiraDouble
let site: JiraSite
let server: TestServer
let owner: BuiltUser
let session: string
let organizationId: string
let project: { id: string }

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker' })
})
afterAll(() => server.stop())

beforeEach(async () => {
  double = await startJiraDouble()
  site = double.site
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  session = await server.signIn(owner)
  project = await createProject(server.client, { organizationId })
  return () => double.stop()
})

async function call<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await server.call(`/api/v1/organizations/${organizationId}${path}`, { token: session, ...options })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  // Our own server's answer, by its contract.
  return (reply.status === 204 ? null : await reply.json()) as T
}

const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 15_000, interval: 50 })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const settings = () => ({ site: site.url, email: site.email, token: site.token, project: 'web' })

const connect = (config: object = {}) =>
  call<CreatedIntegration>('/integrations', { body: { type: 'jira', config: { ...settings(), ...config } } })

async function makeItem(message = 'The basket empties itself.'): Promise<string> {
  const { id } = await createFeedback(server.client, { organizationId, projectId: project.id, message })
  return id
}

const readItem = (id: string) => call<FeedbackDetail>(`/feedback/${id}`)
const readLink = async (itemId: string) => (await call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items[0]
const readIntegration = async (id: string) =>
  (await call<{ items: Integration[] }>('/integrations')).items.find((each) => each.id === id)
const waitForHook = (id: string, hook: Integration['hook'] = 'registered') =>
  until(async () => expect((await readIntegration(id))?.hook).toBe(hook))

/** @returns the issue's key. */
async function createIssue(itemId: string, integrationId: string, reference?: string): Promise<string> {
  await call(`/feedback/${itemId}/issues`, { body: { integrationId, ...(reference !== undefined && { reference }) } })
  await until(async () => expect(await readLink(itemId)).toMatchObject({ state: 'linked', failure: null }))
  return (await readLink(itemId))?.label ?? ''
}

describe('Jira', () => {
  it('creates an issue from an item as a document, with its page and a link back, and logs no token', async () => {
    const { id, account, credentialsEndAt } = await connect({
      labels: 'feedback, from website',
      tokenEndsAt: inDays(90),
    })
    expect([account, credentialsEndAt]).toEqual(['Website (WEB)', `${inDays(90)}T12:00:00.000Z`])
    const itemId = await makeItem('# The basket\nempties *itself* [here](https://evil.example) `now`')
    const key = await createIssue(itemId, id)
    const { fields } = site.find(key)
    expect(fields).toMatchObject({
      summary: '# The basket',
      labels: ['feedback', 'from-website'],
      description: {
        content: expect.arrayContaining([
          {
            type: 'blockquote',
            content: [
              {
                type: 'paragraph',
                content: [
                  { type: 'text', text: '# The basket' },
                  { type: 'hardBreak' },
                  { type: 'text', text: 'empties *itself* [here](https://evil.example) `now`' },
                ],
              },
            ],
          },
        ]),
      },
    })
    expect(JSON.stringify(fields.description)).toContain(`${server.url}/dashboard/feedback?item=${itemId}&link=`)
    expect(JSON.stringify(fields.description)).not.toContain('"href":"https://evil.example"')
    expect(await readLink(itemId)).toMatchObject({ label: 'WEB-1', url: `${site.url}/browse/WEB-1`, status: 'To Do' })

    await waitForHook(id)
    const { items } = await call<{ items: { id: string }[] }>(`/integrations/${id}/deliveries`)
    const delivery = await call<DeliveryDetail>(`/integrations/${id}/deliveries/${items[0]?.id}`)
    const log = JSON.stringify(delivery.log)
    expect(log).toContain('authorization: Basic •••')
    expect(log).not.toContain(site.token)
    expect(log).not.toContain(Buffer.from(`${site.email}:${site.token}`).toString('base64'))
  })

  it('keeps status and comments alike both ways, by calls that Jira signs', async () => {
    const { id } = await connect()
    const itemId = await makeItem()
    const key = await createIssue(itemId, id)
    await waitForHook(id)
    await site.setStatus(key, 'In Review')
    await until(async () => expect((await readItem(itemId)).status).toBe('in_progress'))
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'resolved' } })
    // The workflow asks for a resolution.
    await until(() => expect(site.find(key)).toMatchObject({ status: 'Done', fields: { resolution: '10101' } }))
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'open' } })
    await until(() => expect(site.find(key).status).toBe('To Do'))

    const note = { id: crypto.randomUUID(), kind: 'note', text: 'Seen in **the logs**.\n- twice' }
    await call(`/feedback/${itemId}/comments`, { body: note })
    await until(() => expect(site.find(key).comments).toHaveLength(1))
    expect(readText(site.find(key).comments[0]?.body)).toContain('Ada Example: Seen in the logs.')
    await site.addComment(key, {
      author: { displayName: 'Mia' },
      body: writeParagraph('For admins'),
      visibility: { type: 'role', value: 'Administrators' },
    })
    await site.addComment(key, { author: { displayName: 'Mia' }, body: writeParagraph('Mended in 1.2.') })
    await until(async () =>
      expect((await readItem(itemId)).comments.map(({ text, authorName }) => [text, authorName])).toEqual([
        [note.text, 'Ada Example'],
        ['Mended in 1.2.', 'Mia · Jira'],
      ]),
    )
    await until(async () => {
      const { rows } = await server.client.query(
        `select from deliveries where organization_id = $1 and state = 'waiting'`,
        [organizationId],
      )
      expect(rows).toEqual([])
    })
    expect(site.find(key).comments).toHaveLength(3)
  })

  it('asks Jira for changes where it does not call, and says that its token may not register webhooks', async () => {
    site.isAdmin = false
    const { id } = await connect()
    const items = [await makeItem('one'), await makeItem('two'), await makeItem('three')]
    const keys = [await createIssue(items[0] ?? '', id)]
    for (const item of items.slice(1)) keys.push(await createIssue(item, id))
    await waitForHook(id, 'refused')
    expect((await readIntegration(id))?.hookFailure).toBe('The token may not register webhooks.')
    for (const key of keys) await site.setStatus(key, 'Done')
    await server.client.query('update integrations set polled_at = null where id = $1', [id])
    await server.client.query(`select graphile_worker.add_job('poll_trackers')`)
    for (const item of items) await until(async () => expect((await readItem(item)).status).toBe('resolved'))
  })

  it('finds an issue whose creation was never answered, instead of creating another', async () => {
    const { id } = await connect()
    site.lostCreations = 1
    const itemId = await makeItem()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId: id } })
    await until(async () => expect((await readLink(itemId))?.state).toBe('failed'))
    const { items } = await call<{ items: { id: string }[] }>(`/integrations/${id}/deliveries`)
    await call(`/integrations/${id}/deliveries/${items[0]?.id}/retry`, { method: 'POST' })
    await until(async () => expect(await readLink(itemId)).toMatchObject({ state: 'linked', label: 'WEB-1' }))
    expect(site.issues).toHaveLength(1)
  })

  it('says what in the workflow keeps an issue from following its item, and fails no other issue', async () => {
    const { id } = await connect()
    const itemId = await makeItem()
    const key = await createIssue(itemId, id)
    const readFailure = async () => (await readLink(itemId))?.failure
    site.reachable = ['In Progress']
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'resolved' } })
    await until(async () =>
      expect(await readFailure()).toBe(
        'Jira’s workflow has no transition from “To Do” to a status of the category “Done”. Add one, or move the issue in Jira.',
      ),
    )
    Object.assign(site, { reachable: ['Done'], extraField: 'Root cause' })
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'closed', closedReason: 'wont_fix' } })
    await until(async () =>
      expect(await readFailure()).toBe(
        'Jira’s transition “Move to Done” asks for “Root cause”, which Earshot can’t fill. Make it optional, or move the issue in Jira.',
      ),
    )
    expect(await readIntegration(id)).toMatchObject({ state: 'active', reason: null })
    site.extraField = null
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'resolved' } })
    await until(() => expect(site.find(key).status).toBe('Done'))
  })

  it('links an existing issue of the connected project, follows it to another, and notes when it is deleted', async () => {
    const { id, secret = '' } = await connect()
    const { key, id: issueId } = site.addIssue({ summary: 'Known already' })
    await site.setStatus(key, 'In Progress')
    const itemId = await makeItem()
    for (const reference of ['OPS-1', `https://other.atlassian.net/browse/${key}`, '../WEB-1', 'WEB-']) {
      const reply = await server.call(`/api/v1/organizations/${organizationId}/feedback/${itemId}/issues`, {
        token: session,
        body: { integrationId: id, reference },
      })
      expect(await reply.json()).toMatchObject({ fields: [{ path: 'body.reference' }] })
    }
    await createIssue(itemId, id, `${site.url}/browse/${key.toLowerCase()}`)
    expect((await readItem(itemId)).status).toBe('in_progress')
    await waitForHook(id)
    // Jira gives a moved issue another key, and keeps its id.
    site.issues.splice(0, 1, { ...site.find(key), key: 'OPS-7' })
    await site.setStatus('OPS-7', 'Done')
    await until(async () => expect(await readLink(itemId)).toMatchObject({ label: 'OPS-7', status: 'Done' }))
    site.issues.splice(0, 1)
    const body = JSON.stringify({ webhookEvent: 'jira:issue_deleted', issue: { id: issueId, key: 'OPS-7' } })
    const send = (signature: string) =>
      fetch(`${server.url}/api/v1/hooks/${organizationId}/${id}`, {
        method: 'POST',
        headers: { 'x-hub-signature': signature, 'x-atlassian-webhook-identifier': 'deleted' },
        body,
      })
    expect((await send('sha256=00')).status).toBe(401)
    expect((await send(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)).status).toBe(204)
    await until(async () => expect((await readLink(itemId))?.state).toBe('gone'))
  })

  it('registers one webhook for its project, and removes it with the integration', async () => {
    const { id } = await connect()
    await waitForHook(id)
    const url = `${server.url}/api/v1/hooks/${organizationId}/${id}`
    expect(site.hooks).toMatchObject([{ url, events: ['jira:issue_updated', 'jira:issue_deleted', 'comment_created'] }])
    const before = site.hooks[0]
    await call(`/integrations/${id}/secret`, { body: {} })
    await until(() => expect(site.hooks[0]?.secret).not.toBe(before?.secret))
    expect(site.hooks.map((hook) => hook.id)).toEqual([before?.id])
    await call(`/integrations/${id}`, { method: 'DELETE' })
    await until(() => expect(site.hooks).toEqual([]))
  })

  it('gives new issues labels, the nearest priority and who Jira knows by the email address', async () => {
    const outbound = createOutbound({ allowedHosts: [], allowLoopback: true })
    const api = { settings: { ...settings(), labels: 'feedback' }, send: createServiceClient(outbound, []).send }
    const draft = { title: 'A title', body: 'Text', marker: 'm', labels: ['checkout page'] }
    const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const
    for (const priority of priorities) {
      const assigneeEmail = priority === 'high' ? 'grace@example.com' : 'mia@example.com'
      await jira.tracker?.create(api, { ...draft, priority, assigneeEmail })
    }
    expect(site.issues.map(({ fields }) => fields)).toMatchObject([
      { labels: ['feedback', 'checkout-page'], priority: { id: '1' }, assignee: { id: '5b10ac8d82e05b22cc7d4ef5' } },
      { priority: { id: '2' } },
      { priority: { id: '3' } },
      { priority: { id: '4' } },
      {},
    ])
    expect(site.issues[1]?.fields.assignee).toBeUndefined()
    expect(site.issues[4]?.fields.priority).toBeUndefined()
    expect(await jira.tracker?.listStatuses(api)).toEqual([
      { id: '10000', name: 'To Do', stage: 'todo' },
      { id: '3', name: 'In Progress', stage: 'started' },
      { id: '10010', name: 'In Review', stage: 'started' },
      { id: '10001', name: 'Done', stage: 'done' },
    ])
    await jira.tracker?.setStage(api, 'WEB-1', 'started', '10010')
    expect(site.find('WEB-1').status).toBe('In Review')
    // One that was deleted counts as none.
    await jira.tracker?.setStage(api, 'WEB-2', 'started', '99')
    expect(site.find('WEB-2').status).toBe('In Progress')
    await outbound.close()
  })

  it('is not connected with what Jira refuses, and says why', async () => {
    for (const [config, expected] of [
      [{ project: 'OPS' }, { detail: 'Jira has no project “OPS” that this account can see.' }],
      [{ token: 'wrong' }, { detail: 'The service refused the credentials (401). Connect it again.' }],
      [{ issueType: 'Epic' }, { detail: 'The project has no issue type “Epic”. It has: Task, Incident.' }],
      [
        { issueType: 'incident' },
        {
          detail:
            'Jira requires “Severity” in a new incident, which Earshot can’t fill. Use another issue type, or make it optional.',
        },
      ],
      [{ tokenEndsAt: inDays(-1) }, { fields: [{ path: 'body.config.tokenEndsAt', message: 'is in the past' }] }],
      [{ tokenEndsAt: '3 December' }, { fields: [{ path: 'body.config.tokenEndsAt' }] }],
    ] as const) {
      const reply = await server.call(`/api/v1/organizations/${organizationId}/integrations`, {
        token: session,
        body: { type: 'jira', config: { ...settings(), ...config } },
      })
      expect([reply.status >= 400, await reply.json()]).toMatchObject([true, expected])
    }
  })
})
