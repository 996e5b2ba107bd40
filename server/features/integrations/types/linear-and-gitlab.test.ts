import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { CreatedIntegration, Integration } from '#contract/integrations.ts'
import type { IssueLink } from '#contract/issue-links.ts'
import { type GitLabDouble, startGitLabDouble } from '#doubles/gitlab.ts'
import { type LinearDouble, startLinearDouble } from '#doubles/linear.ts'
import { createOutbound, type Outbound } from '#server/platform/outbound/outbound.ts'
import { type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startReceiver } from '#server/testing/receiver.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import type { IssueDraft, Tracker } from '../issues/tracker.ts'
import { findDefinition } from '../registry.ts'

/* Linear as its emulator answers, and GitLab by its documented API: issues, comments and signed webhooks over real HTTP. */

let gitlab: GitLabDouble
let linear: LinearDouble
let server: TestServer
let outbound: Outbound
let owner: BuiltUser
let session: string
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  gitlab = await startGitLabDouble()
  linear = await startLinearDouble()
  outbound = createOutbound({ allowedHosts: [], allowLoopback: true, requireHttps: false })
  server = await startTestServer({ SERVICES: 'web,worker' })
})
afterAll(async () => {
  await server.stop()
  await outbound.close()
  await linear.stop()
  await gitlab.stop()
  // Whatever the tests did, no request was one that these services don't document.
  expect([...gitlab.refused, ...linear.refused]).toEqual([])
})

const tokenOf = { linear: 'lin_api_of_ada', gitlab: 'glpat-of-ada' }
const oauthToken = 'lin_oauth_of_the_app'

beforeEach(async () => {
  linear.tokens.set(tokenOf.linear, { isAdmin: true }).set(oauthToken, { isAdmin: false })
  gitlab.store.tokens.set(tokenOf.gitlab, { role: 'maintainer', scopes: ['api'], expires_at: '2027-01-31' })
  gitlab.store.signs = true
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  session = await server.signIn(owner)
  project = await createProject(server.client, { organizationId })
})

type Type = 'linear' | 'gitlab'

const configOf = (type: Type): Record<string, unknown> =>
  type === 'linear'
    ? { team: 'WEB', token: tokenOf.linear, apiUrl: linear.url }
    : { project: 'acme/tools/website', token: tokenOf.gitlab, server: `${gitlab.url}/` }

/** The type's tracker and what its calls need, as the worker has them. */
function open(type: Type, config: Record<string, unknown> = {}) {
  const tracker: Tracker<Record<string, unknown>> | undefined = findDefinition(type)?.tracker
  if (!tracker) throw new Error(`${type} is no tracker`)
  const api = { settings: { ...configOf(type), ...config }, send: createServiceClient(outbound, []).send }
  return { tracker, api }
}

async function call<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await server.call(`/api/v1/organizations/${organizationId}${path}`, { token: session, ...options })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  // Our own server's answer, by its contract.
  return (reply.status === 204 ? null : await reply.json()) as T
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

const connect = (type: Type, config: object = {}) =>
  call<CreatedIntegration>('/integrations', { body: { type, config: { ...configOf(type), ...config } } })

async function refuseToConnect(type: Type, config: object): Promise<string> {
  const body = { type, config: { ...configOf(type), ...config } }
  const reply = await server.call(`/api/v1/organizations/${organizationId}/integrations`, { token: session, body })
  expect(reply.status).toBe(422)
  // Our own server's error.
  return ((await reply.json()) as { detail: string }).detail
}

async function makeItem(message = 'The basket empties itself.'): Promise<string> {
  const { id } = await createFeedback(server.client, { organizationId, projectId: project.id, message })
  return id
}
const readItem = (id: string) => call<FeedbackDetail>(`/feedback/${id}`)
const changeItem = (id: string, change: object) => call(`/feedback/${id}`, { method: 'PATCH', body: change })

async function readLink(itemId: string): Promise<IssueLink> {
  const [link] = (await call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items
  if (!link) throw new Error('the item is not linked')
  return link
}

/** The short name of the item's issue, once it is linked. */
async function waitForIssue(itemId: string): Promise<string> {
  await until(async () => expect(await readLink(itemId)).toMatchObject({ state: 'linked', failure: null }))
  return (await readLink(itemId)).label ?? ''
}

async function linkItem(type: Type, config: object = {}) {
  const integration = await connect(type, config)
  const itemId = await makeItem()
  await call(`/feedback/${itemId}/issues`, { body: { integrationId: integration.id } })
  return { integration, itemId, label: await waitForIssue(itemId) }
}

/** Lets the tracker call Earshot, as the integration does when it is connected. */
async function addHook(type: Type, { id, secret = '' }: CreatedIntegration) {
  // Earshot registers it by a job: at the same time, neither would find the other's.
  await until(async () => {
    const { items } = await call<{ items: Integration[] }>('/integrations')
    expect(items.find((each) => each.id === id)?.hook).not.toBe('pending')
  })
  const { tracker, api } = open(type)
  const url = `${server.url}/api/v1/hooks/${organizationId}/${id}`
  const hook = await tracker.hooks?.register(api, { url, secret })
  if (!hook) throw new Error(`${type} registers no webhooks`)
  return hook
}

const draft: IssueDraft = {
  title: 'The basket empties itself',
  body: 'At every second visit.\n\n<!-- earshot item 1 -->',
  marker: '<!-- earshot item 1 -->',
  labels: [],
  priority: null,
  assigneeEmail: null,
}

/** An issue as people see it in the tracker. */
interface Seen {
  readonly title: string
  readonly body: string
  readonly status: string
  readonly comments: readonly string[]
}
/** What people do in the tracker. */
interface Remote {
  readonly type: Type
  readonly name: string
  /** Statuses as people see them. */
  readonly names: { readonly done: string; readonly open: string; readonly dropped: string }
  see(label: string): Promise<Seen>
  setDone(label: string): Promise<void>
  comment(label: string, text: string): Promise<void>
  remove(label: string): Promise<void>
  countIssues(title: string): Promise<number>
}

interface LinearIssue {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly priority: number
  readonly state: { readonly name: string }
  readonly assignee: { readonly email: string } | null
  readonly labels: { readonly nodes: readonly { readonly name: string }[] }
  readonly comments: { readonly nodes: readonly { readonly body: string }[] }
}
async function seeLinear(id: string): Promise<LinearIssue> {
  const query = `query ($id: String!) { issue(id: $id) { id title description priority state { name } assignee { email }
    labels { nodes { name } } comments { nodes { body } } } }`
  return (await linear.ask<{ issue: LinearIssue }>(query, { id })).issue
}
const changeLinear = (id: string, input: object) =>
  linear.ask('mutation ($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }', {
    id,
    input,
  })
const stateOfLinear = async (name: string) => {
  const query = '{ workflowStates(first: 100) { nodes { id name team { key } } } }'
  interface Found {
    readonly workflowStates: { readonly nodes: { id: string; name: string; team: { key: string } }[] }
  }
  const { workflowStates } = await linear.ask<Found>(query)
  return workflowStates.nodes.find((state) => state.team.key === 'WEB' && state.name === name)?.id
}

const linearRemote: Remote = {
  type: 'linear',
  name: 'Linear',
  names: { done: 'Done', open: 'Todo', dropped: 'Canceled' },
  see: async (label) => {
    const { title, description, state, comments } = await seeLinear(label)
    return { title, body: description, status: state.name, comments: comments.nodes.map(({ body }) => body) }
  },
  setDone: async (label) => void (await changeLinear(label, { stateId: await stateOfLinear('Done') })),
  comment: async (label, body) => {
    const query = 'mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { success } }'
    await linear.ask(query, { input: { issueId: label, body } })
  },
  remove: async (label) => void linear.trashed.add((await seeLinear(label)).id),
  countIssues: async (title) => {
    const query = '{ issues(first: 1000) { nodes { title } } }'
    const { issues } = await linear.ask<{ issues: { nodes: { title: string }[] } }>(query)
    return issues.nodes.filter((issue) => issue.title === title).length
  },
}

function seeGitLab(label: string) {
  const issue = gitlab.store.issues.find(({ references }) => references.full === label)
  if (!issue) throw new Error(`GitLab has no ${label}`)
  return issue
}

const gitlabRemote: Remote = {
  type: 'gitlab',
  name: 'GitLab',
  names: { done: 'closed', open: 'opened', dropped: 'closed' },
  see: async (label) => {
    const { id, title, description, state } = seeGitLab(label)
    return {
      title,
      body: description,
      status: state,
      comments: (gitlab.store.notes.get(id) ?? []).map(({ body }) => body),
    }
  },
  setDone: async (label) => void gitlab.store.changeIssue(seeGitLab(label).id, { state: 'closed' }),
  comment: async (label, body) => void gitlab.store.addNote(seeGitLab(label).id, { body }),
  remove: async (label) => gitlab.store.removeIssue(seeGitLab(label).id),
  countIssues: async (title) => gitlab.store.issues.filter((issue) => issue.title === title).length,
}

describe.each([linearRemote, gitlabRemote])('$name', ({ type, name, names, ...remote }) => {
  it('creates an issue with message and a link back, and keeps status and comments alike both ways', async () => {
    const { integration, itemId, label } = await linkItem(type)
    const created = await remote.see(label)
    expect(created.title).toBe('The basket empties itself.')
    expect(created.body).toContain('> The basket empties itself.')
    expect(created.body).toContain(`${server.url}/dashboard/feedback?item=${itemId}`)
    await addHook(type, integration)

    await remote.setDone(label)
    await until(async () => expect((await readItem(itemId)).status).toBe('resolved'))
    expect((await readItem(itemId)).history.at(-1)).toMatchObject({ field: 'status', to: 'resolved', actorName: name })
    await changeItem(itemId, { status: 'open' })
    await until(async () => expect((await remote.see(label)).status).toBe(names.open))
    await changeItem(itemId, { status: 'closed', closedReason: 'wont_fix' })
    await until(async () => expect((await remote.see(label)).status).toBe(names.dropped))

    const note = { id: crypto.randomUUID(), kind: 'note', text: 'Seen in the logs.\n/close\n /assign @ada' }
    await call(`/feedback/${itemId}/comments`, { body: note })
    await until(async () => expect((await remote.see(label)).comments).toHaveLength(1))
    expect((await remote.see(label)).comments).toEqual([expect.stringContaining('Seen in the logs.')])
    expect(gitlab.store.commands).toEqual([])
    await remote.comment(label, 'Mended in 1.2.')
    await until(async () =>
      expect((await readItem(itemId)).comments.map(({ text, authorName }) => [text, authorName])).toEqual([
        [note.text, 'Ada Example'],
        ['Mended in 1.2.', `Ada Lovelace · ${name}`],
      ]),
    )
    // Neither side's changes are sent back to it.
    await until(async () => {
      const { rows } = await server.client.query(
        `select from deliveries where organization_id = $1 and state = 'waiting'
         union all select from graphile_worker.jobs where task_identifier = 'event:queue_deliveries'`,
        [organizationId],
      )
      expect(rows).toHaveLength(0)
    })
    expect((await remote.see(label)).comments).toHaveLength(2)
    expect((await readItem(itemId)).comments).toHaveLength(2)
    expect((await readItem(itemId)).status).toBe('closed')
  })

  it('takes the issue that it created before the answer was lost', async () => {
    const { id: integrationId } = await connect(type)
    const message = `Lost by ${name}`
    const itemId = await makeItem(message)
    const double = type === 'linear' ? linear : gitlab
    double.loseNextAnswer()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
    await until(async () => expect((await readLink(itemId)).failure).not.toBeNull())
    expect((await readLink(itemId)).label).toBeNull()
    const [delivery] = (await call<{ items: { id: string }[] }>(`/integrations/${integrationId}/deliveries`)).items
    await call(`/integrations/${integrationId}/deliveries/${delivery?.id}/retry`, { method: 'POST' })
    await waitForIssue(itemId)
    expect(await remote.countIssues(message)).toBe(1)
  })

  it('says that a token was revoked, catches up with a new one, and notices that an issue was deleted', async () => {
    const { integration, itemId, label } = await linkItem(type)
    const { tokens } = type === 'linear' ? linear : gitlab.store
    tokens.delete(tokenOf[type])
    await changeItem(itemId, { status: 'resolved' })
    const readIntegration = async () => (await call<{ items: Integration[] }>('/integrations')).items[0]
    await until(async () => expect((await readIntegration())?.state).toBe('failing'))
    expect((await readIntegration())?.reason).toMatch(/refused the (token|credentials).* Connect it again\./)
    expect((await readLink(itemId)).failure).toMatch(/Connect it again\./)
    expect((await remote.see(label)).status).toBe(names.open)

    if (type === 'linear') linear.tokens.set('lin_api_new', { isAdmin: true })
    else gitlab.store.tokens.set('glpat-new', { role: 'developer', scopes: ['api'], expires_at: null })
    const token = type === 'linear' ? 'lin_api_new' : 'glpat-new'
    await call(`/integrations/${integration.id}`, { method: 'PATCH', body: { config: { ...configOf(type), token } } })
    const [delivery] = (await call<{ items: { id: string }[] }>(`/integrations/${integration.id}/deliveries`)).items
    await call(`/integrations/${integration.id}/deliveries/${delivery?.id}/retry`, { method: 'POST' })
    await until(async () => expect((await remote.see(label)).status).toBe(names.done))

    await remote.remove(label)
    await changeItem(itemId, { status: 'open' })
    await until(async () => expect((await readLink(itemId)).state).toBe('gone'))
    expect((await readLink(itemId)).failure).toBe('The issue was deleted, or the integration can’t reach it any more.')
  })

  it('registers its webhook once, and says who may do so', async () => {
    const integration = await connect(type)
    const first = await addHook(type, integration)
    const second = await addHook(type, integration)
    expect(second.endsAt).toBeNull()
    const listUrls = async () => {
      if (type === 'gitlab') return gitlab.store.hooks.map(({ url }) => url)
      return (
        await linear.ask<{ webhooks: { nodes: { url: string }[] } }>('{ webhooks { nodes { url } } }')
      ).webhooks.nodes.map(({ url }) => url)
    }
    const isOurs = (url: string) => url.endsWith(integration.id)
    expect((await listUrls()).filter(isOurs)).toHaveLength(1)
    const { tracker, api } = open(type)
    await tracker.hooks?.remove(api, second.id)
    await tracker.hooks?.remove(api, first.id)
    expect((await listUrls()).filter(isOurs)).toHaveLength(0)

    gitlab.store.tokens.set('glpat-developer', { role: 'developer', scopes: ['api'], expires_at: null })
    const weak = open(type, { token: type === 'linear' ? oauthToken : 'glpat-developer' })
    await expect(weak.tracker.hooks?.register(weak.api, { url: server.url, secret: '' })).rejects.toMatchObject({
      status: 403,
      message: type === 'linear' ? /does not allow this token/ : /maintainer/,
    })
  })

  it('links an existing issue by its address or number, of the connected place alone', async () => {
    const { tracker, api } = open(type)
    const { key, label, url } = await tracker.create(api, { ...draft, title: 'Known already' })
    await remote.setDone(label)
    const { id: integrationId } = await connect(type)
    const itemId = await makeItem()
    const reference = type === 'linear' ? `https://linear.app/acme/issue/${label}/known-already` : url
    await call(`/feedback/${itemId}/issues`, { body: { integrationId, reference } })
    expect(await waitForIssue(itemId)).toBe(label)
    expect((await readItem(itemId)).status).toBe('resolved')
    expect(await tracker.read(api, key)).toMatchObject({ key, title: 'Known already' })

    const read = (text: string) => tracker.readReference(api.settings, text)
    const own = type === 'linear' ? ['WEB-7', 'web-7'] : ['7', '#7', 'Acme/tools/website#7', `${url}#note_12`]
    for (const each of own) expect(read(each), each).toBeDefined()
    for (const other of [
      'none of these',
      'OPS-7',
      'https://linear.app/acme/issue/OPS-7/x',
      'acme/secret#1',
      '../..#1',
      '',
    ])
      expect(read(other), other).toBeUndefined()
  })

  it('is not connected to an address where something else answers', async () => {
    const receiver = await startReceiver()
    const [field, thing] = type === 'linear' ? ['apiUrl', 'address'] : ['server', 'server’s address']
    for (const body of ['<html>', 'null', '{}', '[]', '"none"']) {
      receiver.answer((_, response) => response.writeHead(200).end(body))
      const reason = await refuseToConnect(type, { [field ?? '']: receiver.url })
      expect(reason, body).toBe(`The answer is not ${name}’s. Is the ${thing} right?`)
    }
    await receiver.stop()
  })

  it('names the issues that changed since a time, and those that were commented', async () => {
    const { tracker, api } = open(type)
    const old = await tracker.create(api, draft)
    const before = Date.now()
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(before), { interval: 1 })
    const since = new Date()
    const made = await tracker.create(api, draft)
    const listed = await tracker.listChanged(api, since)
    expect(listed).toContain(made.key)
    expect(listed).not.toContain(old.key)
    await remote.comment(old.label, 'Still there.')
    expect(await tracker.listChanged(api, since)).toContain(old.key)
    expect(await tracker.listChanged(api, new Date(Date.now() + 60_000))).toEqual([])
  })
})

describe('Linear', () => {
  it('gives a new issue labels, priority and assignee, and leaves out labels that it may not create', async () => {
    const { tracker, api } = open('linear', { labels: 'bug, customer' })
    const details = { labels: ['Bug', 'From Earshot'], priority: 'urgent', assigneeEmail: 'Grace@Example.com' } as const
    const { key, status } = await tracker.create(api, { ...draft, ...details })
    expect(status).toMatchObject({ name: 'Todo', stage: 'todo' })
    const made = await seeLinear(key)
    expect(made.labels.nodes.map((label) => label.name).sort()).toEqual(['Bug', 'Customer', 'From Earshot'])
    expect([made.priority, made.assignee?.email]).toEqual([1, 'grace@example.com'])

    // An access token of an OAuth application, of which this workspace lets none add labels.
    const app = open('linear', { token: oauthToken })
    const other = { labels: ['Bug', 'Never seen'], assigneeEmail: 'stranger@example.com' }
    const second = await seeLinear((await app.tracker.create(app.api, { ...draft, ...other })).key)
    expect(second.labels.nodes.map((label) => label.name)).toEqual(['Bug'])
    expect([second.priority, second.assignee]).toEqual([0, null])
  })

  it('moves issues by the type of a status, whatever its name, or to the status that was selected', async () => {
    const { tracker, api } = open('linear')
    const { key } = await tracker.create(api, draft)
    const statuses = await tracker.listStatuses(api)
    expect(statuses.map(({ name, stage }) => `${name}: ${stage}`)).toEqual([
      'Triage: todo',
      'Backlog: todo',
      'Todo: todo',
      'In Progress: started',
      'In Review: started',
      'Done: done',
      'Canceled: dropped',
      'Duplicate: dropped',
    ])
    const review = statuses.find(({ name }) => name === 'In Review')
    linear.renamed.set('Done', 'Shipped').set('In Review', 'Checking')
    try {
      expect(await tracker.setStage(api, key, 'done')).toMatchObject({ name: 'Shipped', stage: 'done' })
      expect(await tracker.read(api, key)).toMatchObject({ status: { name: 'Shipped', stage: 'done' } })
      expect(await tracker.setStage(api, key, 'started', review?.id)).toMatchObject({ name: 'Checking' })
    } finally {
      linear.renamed.clear()
    }
    // It is in a status of the stage already.
    expect(await tracker.setStage(api, key, 'started')).toMatchObject({ name: 'In Review' })
    expect(await tracker.setStage(api, key, 'todo', 'deleted since')).toMatchObject({ name: 'Todo' })
    expect(await tracker.setStage(api, key, 'dropped')).toMatchObject({ name: 'Canceled' })
  })

  it('waits as long as Linear asks for', async () => {
    const { tracker, api } = open('linear')
    linear.limitedUntilMs = Date.now() + 90_000
    try {
      await expect(tracker.listStatuses(api)).rejects.toMatchObject({
        message: 'Linear gets too many requests.',
        status: 429,
        retryAfterSeconds: 90,
      })
    } finally {
      linear.limitedUntilMs = 0
    }
  })

  it('is connected to its team, or says why not', async () => {
    expect((await connect('linear', { team: 'web' })).account).toBe('Acme: Website')
    expect((await connect('linear', { token: oauthToken })).account).toBe('Acme: Website')
    expect(await refuseToConnect('linear', { team: 'NONE' })).toBe(
      'Linear has no team with the key “NONE” that the token reaches.',
    )
    expect(await refuseToConnect('linear', { token: 'lin_api_wrong' })).toBe(
      'Linear refused the token. Connect it again.',
    )
  })

  it('refuses calls that Linear did not sign, and those of more than a minute ago', async () => {
    const { id, secret = '' } = await connect('linear')
    const send = (body: string, signature: string, delivery = 'a') =>
      fetch(`${server.url}/api/v1/hooks/${organizationId}/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'linear-signature': signature, 'linear-delivery': delivery },
        body,
      })
    const write = (webhookTimestamp: number) => JSON.stringify({ type: 'Issue', data: { id: 'x' }, webhookTimestamp })
    const sign = (body: string, key = secret) => createHmac('sha256', key).update(body).digest('hex')
    const body = write(Date.now())
    expect((await send(body, '')).status).toBe(401)
    expect((await send(body, sign(body, 'another'))).status).toBe(401)
    expect((await send(body, sign(body).replace(/^./, 'é'))).status).toBe(401)
    expect((await send(`${body} `, sign(body))).status).toBe(401)
    const former = write(Date.now() - 61_000)
    expect((await send(former, sign(former), 'b')).status).toBe(401)
    const undated = JSON.stringify({ type: 'Issue', data: { id: 'x' } })
    expect((await send(undated, sign(undated), 'c')).status).toBe(401)
    for (const _ of [1, 2]) expect((await send(body, sign(body))).status).toBe(204)
    const { rows } = await server.client.query('select hook_id from tracker_hooks where integration_id = $1', [id])
    expect(rows).toEqual([{ hook_id: 'a' }])
  })
})

describe('GitLab', () => {
  it('gives a new issue labels and the member whose address GitLab shows, and carries out no command', async () => {
    const { tracker, api } = open('gitlab', { labels: 'feedback, website' })
    const details = { labels: ['website', 'basket'], assigneeEmail: 'ada@example.com' }
    const { label } = await tracker.create(api, { ...draft, ...details })
    expect(seeGitLab(label)).toMatchObject({ labels: ['feedback', 'website', 'basket'], assignees: [{ id: 1 }] })
    const second = await tracker.create(api, { ...draft, assigneeEmail: 'grace@example.com' })
    expect(seeGitLab(second.label).assignees).toEqual([])

    const itemId = await makeItem('/close\n/confidential\n```\n/label ~bug')
    const { id: integrationId } = await connect('gitlab')
    await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
    await waitForIssue(itemId)
    expect(gitlab.store.commands).toEqual([])
  })

  it('follows an issue into another project, and changes it there', async () => {
    const { itemId, label } = await linkItem('gitlab')
    const moved = gitlab.store.moveIssue(seeGitLab(label).id, 8)
    await changeItem(itemId, { status: 'resolved' })
    await until(async () => expect(seeGitLab(moved.references.full).state).toBe('closed'))
    expect((await readLink(itemId)).label).toBe(moved.references.full)
    expect(seeGitLab(label)).toMatchObject({ state: 'closed', moved_to_id: moved.id })

    const { tracker, api } = open('gitlab')
    const lost = gitlab.store.addIssue(7, {
      title: 'Moved where the token can’t see it',
      moved_to_id: 1,
      state: 'closed',
    })
    expect(await tracker.read(api, `7#${lost.iid}`)).toBeUndefined()
  })

  it('copies neither GitLab’s own notes nor internal ones', async () => {
    const { tracker, api } = open('gitlab')
    const { key, label } = await tracker.create(api, draft)
    const { id } = seeGitLab(label)
    gitlab.store.addNote(id, { body: 'closed', system: true })
    gitlab.store.addNote(id, { body: 'Only for us', internal: true })
    for (let count = 1; count <= 101; count += 1) gitlab.store.addNote(id, { body: `Comment ${count}` })
    const comments = await tracker.listComments(api, key)
    expect(comments.map(({ text }) => text).filter((text) => !text.startsWith('Comment'))).toEqual([])
    expect(comments.at(-1)).toMatchObject({ text: 'Comment 101', author: 'Ada Lovelace' })
  })

  it('is connected until its token ends, or says why not', async () => {
    const connected = await connect('gitlab', { project: 'Acme/Tools/website' })
    expect([connected.account, connected.credentialsEndAt]).toEqual(['acme/tools/website', '2027-01-31T00:00:00.000Z'])
    gitlab.store.tokens.set('glpat-reader', { role: 'maintainer', scopes: ['read_api'], expires_at: null })
    expect(await refuseToConnect('gitlab', { token: 'glpat-reader' })).toBe('The token needs the scope “api”.')
    expect(await refuseToConnect('gitlab', { project: 'acme/missing' })).toBe(
      'The service knows nothing at this address (404).',
    )
    expect(await refuseToConnect('gitlab', { token: 'glpat-wrong' })).toBe(
      'The service refused the credentials (401). Connect it again.',
    )
  })

  it('is called by versions that sign, and by former ones, which send the secret', async () => {
    gitlab.store.signs = false
    const { integration, itemId, label } = await linkItem('gitlab')
    await addHook('gitlab', integration)
    expect(gitlab.store.hooks.at(-1)).toMatchObject({ token: integration.secret })
    gitlab.store.changeIssue(seeGitLab(label).id, { state: 'closed' })
    await until(async () => expect((await readItem(itemId)).status).toBe('resolved'))
    gitlab.store.signs = true
    await addHook('gitlab', integration)
    expect(gitlab.store.hooks.at(-1)).not.toHaveProperty('token')
    gitlab.store.changeIssue(seeGitLab(label).id, { state: 'opened' })
    await until(async () => expect((await readItem(itemId)).status).toBe('open'))
  })

  it('reads which issue a call is about', () => {
    const { tracker } = open('gitlab')
    const read = (call: object) => {
      const body = Buffer.from(JSON.stringify({ project: { id: 7 }, ...call }))
      return tracker.readHook({ headers: { 'x-gitlab-token': 'secret', 'idempotency-key': 'a' }, body }, 'secret')
    }
    for (const kind of ['issue', 'work_item'])
      expect(read({ object_kind: kind, object_attributes: { id: 301, iid: 23 } })?.issueKeys).toEqual(['7#23'])
    const note = { object_kind: 'note', object_attributes: { id: 1241, note: 'Seen.' } }
    expect(read({ ...note, issue: { id: 301, iid: 23 } })?.issueKeys).toEqual(['7#23'])
    expect(read({ ...note, merge_request: { iid: 23 } })?.issueKeys).toEqual([])
    expect(read({ object_kind: 'merge_request', object_attributes: { iid: 23 } })?.issueKeys).toEqual([])
  })

  it('refuses forged, unsigned and old calls', async () => {
    const { id, secret = '' } = await connect('gitlab')
    const body = JSON.stringify({ object_kind: 'issue', project: { id: 7 }, object_attributes: { iid: 1 } })
    const send = (headers: Record<string, string>) =>
      fetch(`${server.url}/api/v1/hooks/${organizationId}/${id}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-gitlab-event': 'Issue Hook',
          'idempotency-key': 'a',
          ...headers,
        },
        body,
      })
    const sign = (ageSeconds: number, key = secret) => {
      const date = new Date(Date.now() - ageSeconds * 1000)
      const seconds = String(Math.floor(date.getTime() / 1000))
      const signature = new Webhook(key).sign('b', date, body)
      return { 'webhook-id': 'b', 'webhook-timestamp': seconds, 'webhook-signature': signature }
    }
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    expect((await send({})).status).toBe(401)
    expect((await send({ 'x-gitlab-token': 'another' })).status).toBe(401)
    expect((await send({ 'x-gitlab-token': secret.replace(/.$/, 'é') })).status).toBe(401)
    expect((await send(sign(0, other))).status).toBe(401)
    // A signature counts more than the secret, which stays the same in every call.
    expect((await send({ ...sign(0, other), 'x-gitlab-token': secret })).status).toBe(401)
    expect((await send(sign(301))).status).toBe(401)
    expect((await send({ ...sign(0), 'webhook-timestamp': 'now' })).status).toBe(401)
    expect((await send(sign(0))).status).toBe(204)
    for (const _ of [1, 2]) expect((await send({ 'x-gitlab-token': secret })).status).toBe(204)
    const hooks = 'select hook_id from tracker_hooks where integration_id = $1 order by hook_id'
    expect((await server.client.query(hooks, [id])).rows).toEqual([{ hook_id: 'a' }, { hook_id: 'b' }])
  })
})
