import { createHmac } from 'node:crypto'
import { createEmulator, type Emulator } from 'emulate'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { CreatedIntegration, Integration } from '#contract/integrations.ts'
import type { IssueLink } from '#contract/issue-links.ts'
import { findFreePort } from '#doubles/free-port.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startReceiver } from '#server/testing/receiver.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { findDefinition } from '../registry.ts'

/* GitHub as its emulator answers: issues, comments and signed webhooks over real HTTP. */

const token = 'github_pat_of_the_test'
const repository = 'octocat/website'

let emulator: Emulator
let server: TestServer
let owner: BuiltUser
let session: string
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  emulator = await createEmulator({
    service: 'github',
    port: await findFreePort(),
    seed: {
      tokens: { [token]: { login: 'octocat', scopes: ['repo'] } },
      github: {
        users: [{ login: 'octocat', name: 'The Octocat', email: 'octocat@example.com' }],
        repos: [{ owner: 'octocat', name: 'website', auto_init: true }],
      },
    },
  })
  server = await startTestServer({ SERVICES: 'web,worker' })
})
afterAll(async () => {
  await server.stop()
  await emulator.close()
})

beforeEach(async () => {
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  session = await server.signIn(owner)
  project = await createProject(server.client, { organizationId })
})

async function call<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await server.call(`/api/v1/organizations/${organizationId}${path}`, { token: session, ...options })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  // Our own server's answer, by its contract.
  return (reply.status === 204 ? null : await reply.json()) as T
}

async function github<T>(path: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await fetch(`${emulator.url}/repos/${repository}${path}`, {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  })
  if (!reply.ok) throw new Error(`GitHub ${path}: ${reply.status} ${await reply.text()}`)
  // The emulator's answer.
  return (reply.status === 204 ? null : await reply.json()) as T
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

const connect = (config: object = {}) =>
  call<CreatedIntegration>('/integrations', {
    body: { type: 'github', config: { repository, token, apiUrl: emulator.url, ...config } },
  })

async function makeItem(message = 'The basket empties itself.'): Promise<string> {
  const { id } = await createFeedback(server.client, { organizationId, projectId: project.id, message })
  return id
}

const readItem = (id: string) => call<FeedbackDetail>(`/feedback/${id}`)

async function waitForIssue(itemId: string): Promise<{ link: IssueLink; number: string }> {
  await until(async () => {
    const [link] = (await call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items
    expect(link).toMatchObject({ state: 'linked', failure: null })
  })
  const [link] = (await call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items
  if (!link?.label) throw new Error('the item is not linked')
  return { link, number: link.label.split('#')[1] ?? '' }
}

interface GitHubHook {
  readonly id: number
  readonly active: boolean
  readonly events: string[]
  readonly config: { url: string; content_type: string }
}

const hookUrl = (id: string) => `${server.url}/api/v1/hooks/${organizationId}/${id}`

/** Webhooks of the repository that lead to an integration. */
const listHooks = async (id: string) =>
  (await github<GitHubHook[]>('/hooks?per_page=100')).filter(({ config }) => config.url === hookUrl(id))

async function readIntegration(id: string): Promise<Integration> {
  const { items } = await call<{ items: Integration[] }>('/integrations')
  const found = items.find((each) => each.id === id)
  if (!found) throw new Error('the integration is gone')
  return found
}

const waitForHook = (id: string, hook: Integration['hook'] = 'registered') =>
  until(async () => expect((await readIntegration(id)).hook).toBe(hook))

/** As the repository's settings do. */
const deleteHook = (id: number | undefined) => github(`/hooks/${id}`, { method: 'DELETE' })

const runNow = (job: string) => server.client.query('select graphile_worker.add_job($1)', [job])

interface GitHubIssue {
  readonly title: string
  readonly body: string
  readonly state: string
  readonly state_reason: string | null
  readonly labels: { name: string }[]
}

describe('GitHub Issues', () => {
  it('creates an issue from an item, with message, page and a link back, and nothing about the visitor', async () => {
    const { id: integrationId } = await connect({ labels: 'feedback, website' })
    const itemId = await makeItem('The basket empties itself. @octocat <img src=x>')
    await server.client.query(`update feedback set visitor_email = 'grace@example.org' where id = $1`, [itemId])
    const link = await call<IssueLink>(`/feedback/${itemId}/issues`, { body: { integrationId } })
    expect(link).toMatchObject({ state: 'creating', label: null })
    const { number } = await waitForIssue(itemId)
    const issue = await github<GitHubIssue>(`/issues/${number}`)
    expect(issue.title).toBe('The basket empties itself. @octocat <img src=x>')
    expect(issue.body).toContain('> The basket empties itself. @\u2060octocat \\<img src=x\\>')
    expect(issue.body).toContain(`${server.url}/dashboard/feedback?item=${itemId}`)
    expect(issue.body).not.toContain('grace@example.org')
    expect(issue.labels.map(({ name }) => name)).toEqual(['feedback', 'website'])
  })

  it('creates one for each new item, if asked to, and one alone', async () => {
    const { id: integrationId } = await connect({ createAutomatically: true })
    const ids = [await makeItem('first'), await makeItem('second')]
    const created = await call<{ created: number }>(`/integrations/${integrationId}/issues`, {
      body: { feedbackIds: ids },
    })
    expect(created.created).toBeLessThanOrEqual(2)
    for (const id of ids) await waitForIssue(id)
    const again = await call<{ created: number }>(`/integrations/${integrationId}/issues`, {
      body: { feedbackIds: ids },
    })
    expect(again).toEqual({ created: 0 })
  })

  it('keeps status and comments alike both ways, and stops there', async () => {
    const integration = await connect()
    const itemId = await makeItem()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId: integration.id } })
    const { number } = await waitForIssue(itemId)
    await waitForHook(integration.id)

    await github(`/issues/${number}`, { method: 'PATCH', body: { state: 'closed', state_reason: 'completed' } })
    await until(async () => expect((await readItem(itemId)).status).toBe('resolved'))
    const { history } = await readItem(itemId)
    expect(history.at(-1)).toMatchObject({ field: 'status', to: 'resolved', actorName: 'GitHub Issues' })

    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'open' } })
    await until(async () => expect((await github<GitHubIssue>(`/issues/${number}`)).state).toBe('open'))
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'closed', closedReason: 'wont_fix' } })
    await until(async () =>
      expect(await github(`/issues/${number}`)).toMatchObject({ state: 'closed', state_reason: 'not_planned' }),
    )

    const note = { id: crypto.randomUUID(), kind: 'note', text: 'Seen in the logs.' }
    await call(`/feedback/${itemId}/comments`, { body: note })
    const readComments = () => github<{ body: string }[]>(`/issues/${number}/comments`)
    await until(async () =>
      expect((await readComments()).map(({ body }) => body)).toEqual([expect.stringContaining('Seen in the logs.')]),
    )
    await github(`/issues/${number}/comments`, { body: { body: 'Mended in 1.2.' } })
    await until(async () =>
      expect((await readItem(itemId)).comments.map(({ text, authorName }) => [text, authorName])).toEqual([
        ['Seen in the logs.', 'Ada Example'],
        ['Mended in 1.2.', 'octocat · GitHub Issues'],
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
    expect(await readComments()).toHaveLength(2)
    expect((await readItem(itemId)).comments).toHaveLength(2)
  })

  it('links an existing issue, and takes its status', async () => {
    const { id: integrationId } = await connect()
    const { number } = await github<{ number: number }>('/issues', { body: { title: 'Known already' } })
    await github(`/issues/${number}`, { method: 'PATCH', body: { state: 'closed', state_reason: 'completed' } })
    const itemId = await makeItem()
    const reference = `https://github.com/${repository}/issues/${number}`
    await call(`/feedback/${itemId}/issues`, { body: { integrationId, reference } })
    await waitForIssue(itemId)
    const linked = await readItem(itemId)
    expect(linked.status).toBe('resolved')
    expect(linked.issues).toMatchObject([{ state: 'linked', label: `${repository}#${number}`, isDone: true }])
    // The token may reach other repositories; members may not.
    const others = ['none of these', 'acme/secret#1', 'https://github.com/acme/secret/issues/1', '../..#1']
    for (const other of others) {
      const again = await server.call(`/api/v1/organizations/${organizationId}/feedback/${itemId}/issues`, {
        token: session,
        body: { integrationId, reference: other },
      })
      expect(await again.json()).toMatchObject({ fields: [{ path: 'body.reference' }] })
    }
  })

  it('sends a stored token to no other server: who changes the address enters it again', async () => {
    const { id } = await connect()
    const other = await startReceiver()
    const change = (config: object) =>
      server.call(`/api/v1/organizations/${organizationId}/integrations/${id}`, {
        token: session,
        method: 'PATCH',
        body: { config },
      })
    const reply = await change({ apiUrl: other.url })
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { fields: [{ path: 'body.config.token', message: expect.stringContaining('must be entered again') }] },
    ])
    expect((await change({ apiUrl: '' })).status).toBe(400)
    expect(other.received).toEqual([])
    // The same server, by another path.
    expect((await change({ apiUrl: `${emulator.url}/` })).status).toBe(200)
    other.answer((_, response) => response.writeHead(403).end())
    expect((await change({ apiUrl: other.url, token: 'another' })).status).toBe(422)
    expect(other.received[0]?.headers.authorization).toBe('Bearer another')
    await other.stop()
  })

  it('brings no comment twice when an issue is unlinked and linked again', async () => {
    const { id: integrationId } = await connect()
    const itemId = await makeItem()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
    const { link, number } = await waitForIssue(itemId)
    await github(`/issues/${number}/comments`, { body: { body: 'Seen on iOS, too.' } })
    const relink = async () => {
      const [{ id }] = (await call<{ items: [IssueLink] }>(`/feedback/${itemId}/issues`)).items
      await call(`/feedback/${itemId}/issues/${id}`, { method: 'DELETE' })
      await call(`/feedback/${itemId}/issues`, { body: { integrationId, reference: link.url } })
      // Comments are copied last.
      await until(async () => {
        const { rows } = await server.client.query(
          `select from deliveries where organization_id = $1 and state = 'waiting'
           union all select from issue_links where organization_id = $1 and state <> 'linked'`,
          [organizationId],
        )
        expect(rows).toHaveLength(0)
      })
      return (await readItem(itemId)).comments.map(({ text }) => text)
    }
    expect(await relink()).toEqual(['Seen on iOS, too.'])
    expect(await relink()).toEqual(['Seen on iOS, too.'])
  })

  it('follows an issue that was transferred and renamed, at the same host alone', async () => {
    const [moving, other] = [await startReceiver(), await startReceiver()]
    let isMoved = false
    moving.answer(({ method, path }, response) => {
      const [address = ''] = path.split('?')
      const moveTo = (location: string) => response.writeHead(301, { location }).end()
      const send = (body: unknown) => response.writeHead(200).end(JSON.stringify(body))
      const issue = (name: string, number: number) =>
        send({
          number,
          title: 'Known',
          html_url: `https://github.com/${name}/issues/${number}`,
          body: '',
          state: method === 'PATCH' ? 'closed' : 'open',
          repository_url: `${moving.url}/repos/${name}`,
        })
      if (address === `/repos/${repository}/issues`) moveTo('/repositories/5/issues')
      else if (address === '/repositories/5/issues')
        send([{ number: 7, state: 'open', repository_url: `${moving.url}/repos/acme/site` }])
      else if (address === `/repos/${repository}`) send({ full_name: repository, has_issues: true })
      else if (address === '/repos/acme/shop/issues/3') issue('acme/shop', 3)
      else if (address === '/repositories/9/issues/3') moveTo(`${moving.url}/repos/acme/shop/issues/3`)
      else if (address === `/repos/${repository}/issues/8`) moveTo(`${other.url}/repos/acme/shop/issues/3`)
      else if (address === `/repos/${repository}/issues/7` && isMoved) moveTo('/repositories/9/issues/3')
      else if (address === `/repos/${repository}/issues/7`) issue(repository, 7)
      else if (address.endsWith('/comments') && !(isMoved && address.includes(repository))) send([])
      else response.writeHead(404).end()
    })
    const { id: integrationId } = await connect({ apiUrl: moving.url })
    const [itemId, lostId] = [await makeItem(), await makeItem('Lost.')]
    await call(`/feedback/${itemId}/issues`, { body: { integrationId, reference: '#7' } })
    await waitForIssue(itemId)
    isMoved = true
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'resolved' } })
    await until(async () => expect((await waitForIssue(itemId)).link.label).toBe('acme/shop#3'))
    const [change] = moving.received.filter(({ method }) => method === 'PATCH')
    expect([change?.path, change?.body]).toEqual(['/repos/acme/shop/issues/3', expect.stringContaining('completed')])

    await call(`/feedback/${lostId}/issues`, { body: { integrationId, reference: '#8' } })
    await until(async () =>
      expect((await call<{ items: IssueLink[] }>(`/feedback/${lostId}/issues`)).items).toMatchObject([
        { state: 'gone' },
      ]),
    )
    // Links of a renamed repository have its former name.
    const outbound = createOutbound({ allowedHosts: [], allowLoopback: true })
    const api = { settings: { repository, token, apiUrl: moving.url }, send: createServiceClient(outbound, []).send }
    expect(await findDefinition('github')?.tracker?.listChanged(api, new Date())).toEqual([
      'acme/site#7',
      `${repository}#7`,
    ])
    // The token stays with its host.
    expect(other.received).toEqual([])
    await Promise.all([moving.stop(), other.stop(), outbound.close()])
  })

  it('answers a signed body that is no JSON, as of a webhook that sends forms, with a clear error', async () => {
    const { id, secret = '' } = await connect()
    const body = 'payload=%7B%7D'
    const reply = await fetch(`${server.url}/api/v1/hooks/${organizationId}/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        'x-github-delivery': 'a',
      },
      body,
    })
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([400, 'malformed_json'])
  })

  it('refuses calls that GitHub did not sign, and takes each call once', async () => {
    const { id, secret = '' } = await connect()
    const body = JSON.stringify({ issue: { number: 1 }, repository: { full_name: repository } })
    const send = (signature: string, delivery = 'a') =>
      fetch(`${server.url}/api/v1/hooks/${organizationId}/${id}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': signature,
          'x-github-delivery': delivery,
        },
        body,
      })
    const signed = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    expect((await send('sha256=00')).status).toBe(401)
    expect((await send(`${signed.slice(0, -1)}x`)).status).toBe(401)
    expect((await send(`${signed.slice(0, -1)}é`)).status).toBe(401)
    for (const _ of [1, 2, 3]) expect((await send(signed)).status).toBe(204)
    const { rows } = await server.client.query('select hook_id from tracker_hooks where integration_id = $1', [id])
    expect(rows).toEqual([{ hook_id: 'a' }])
    await call(`/integrations/${id}/secret`, { body: { overlapHours: 1 } })
    expect((await send(signed, 'b')).status).toBe(204)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 })
    try {
      expect((await send(signed, 'c')).status).toBe(401)
    } finally {
      vi.useRealTimers()
    }
  })

  it('registers its webhook at the repository once, and removes it when it is paused or disconnected', async () => {
    const { id } = await connect()
    await waitForHook(id)
    const [hook, ...more] = await listHooks(id)
    expect(more).toEqual([])
    expect(hook).toMatchObject({
      active: true,
      events: ['issues', 'issue_comment'],
      config: { content_type: 'json' },
    })
    await call(`/integrations/${id}`, { method: 'PATCH', body: { state: 'paused' } })
    await until(async () => expect(await listHooks(id)).toEqual([]))
    expect(await readIntegration(id)).toMatchObject({ hook: 'none', hookFailure: null })
    await call(`/integrations/${id}`, { method: 'PATCH', body: { state: 'active' } })
    await waitForHook(id)
    expect(await listHooks(id)).toHaveLength(1)
    await call(`/integrations/${id}`, { method: 'DELETE' })
    await until(async () => expect(await listHooks(id)).toEqual([]))
  })

  it('registers a replaced secret, so that calls arrive when the former one has ended', async () => {
    const { id } = await connect()
    const itemId = await makeItem()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId: id } })
    const { number } = await waitForIssue(itemId)
    await waitForHook(id)
    await call(`/integrations/${id}/secret`, { body: { overlapHours: 0 } })
    await until(async () => {
      const { rows } = await server.client.query(
        `select from graphile_worker.jobs where task_identifier = 'keep_tracker_hook'`,
      )
      expect(rows).toEqual([])
    })
    expect(await listHooks(id)).toHaveLength(1)
    await github(`/issues/${number}`, { method: 'PATCH', body: { state: 'closed', state_reason: 'completed' } })
    await until(async () => expect((await readItem(itemId)).status).toBe('resolved'))
  })

  it('registers a webhook again before it ends, and one that was lost', async () => {
    const { id } = await connect()
    const { id: lasting } = await connect()
    const deleteHooks = async (integrationId: string) => {
      await waitForHook(integrationId)
      const [hook] = await listHooks(integrationId)
      await deleteHook(hook?.id)
    }
    await deleteHooks(id)
    await deleteHooks(lasting)
    const setLife = (integrationId: string, begunDays: number, leftDays: number) =>
      server.client.query(
        `update integrations set hook_registered_at = now() - make_interval(days => $2),
           hook_ends_at = now() + make_interval(days => $3) where id = $1`,
        [integrationId, begunDays, leftDays],
      )
    await setLife(id, 21, 9)
    await setLife(lasting, 1, 29)
    await runNow('renew_tracker_hooks')
    await until(async () => expect(await listHooks(id)).toHaveLength(1))
    expect(await listHooks(lasting)).toEqual([])
    await setLife(lasting, 1, 6)
    await runNow('renew_tracker_hooks')
    await until(async () => expect(await listHooks(lasting)).toHaveLength(1))
  })

  it('says why GitHub does not call: the token may not register webhooks, or the address is local', async () => {
    const receiver = await startReceiver()
    let status = 403
    receiver.answer(({ path }, response) => {
      if (path.includes('/hooks')) response.writeHead(status).end('{"message":"Resource not accessible"}')
      else response.writeHead(200).end(JSON.stringify({ full_name: repository, has_issues: true }))
    })
    const { id } = await connect({ apiUrl: receiver.url })
    await waitForHook(id, 'refused')
    expect((await readIntegration(id)).hookFailure).toBe('The token may not register webhooks.')
    status = 500
    await runNow('renew_tracker_hooks')
    await until(async () =>
      expect(await readIntegration(id)).toMatchObject({ hook: 'pending', hookFailure: 'The service answered 500.' }),
    )
    await receiver.stop()
    // As if it had been connected to github.com, which can't call 127.0.0.1.
    await server.client.query(`update integrations set settings = settings - 'apiUrl' where id = $1`, [id])
    await waitForHook(id, 'unreachable')
  })

  it('gives up the removal of a webhook after a day, or when GitHub refuses it, and keeps no credentials', async () => {
    const receiver = await startReceiver()
    let status = 500
    receiver.answer(({ method, path }, response) => {
      const answers: Record<string, [number, string]> = {
        GET: [200, path.includes('/hooks') ? '[]' : JSON.stringify({ full_name: repository, has_issues: true })],
        POST: [201, '{"id":5}'],
        DELETE: [status, '{}'],
      }
      const [code, body] = answers[method] ?? [404, '{}']
      response.writeHead(code).end(body)
    })
    const readJobs = async () => {
      const { rows } = await server.client.query<{ attempts: number }>(
        `select attempts from graphile_worker.jobs where task_identifier = 'remove_tracker_hook'`,
      )
      return rows
    }
    const disconnect = async () => {
      const { id } = await connect({ apiUrl: receiver.url })
      await waitForHook(id)
      await call(`/integrations/${id}`, { method: 'DELETE' })
    }
    await disconnect()
    await until(async () => expect((await readJobs())[0]?.attempts).toBeGreaterThan(0))
    await server.client.query(
      `update graphile_worker._private_jobs set run_at = now(),
         payload = jsonb_set(payload::jsonb, '{giveUpAt}', to_jsonb(now()))::json
       where payload ->> 'giveUpAt' is not null`,
    )
    await until(async () => expect(await readJobs()).toEqual([]))
    status = 403
    await disconnect()
    const path = `/repos/${repository}/hooks/5`
    await until(async () => expect(receiver.received.filter((each) => each.path === path).length).toBeGreaterThan(2))
    await until(async () => expect(await readJobs()).toEqual([]))
    expect(server.logLines.filter((line) => line.includes('a webhook was left at its tracker'))).toHaveLength(2)
    await receiver.stop()
  })

  it('is not connected with a missing repository or a refused token', async () => {
    const receiver = await startReceiver()
    receiver.answer((_, response) => response.writeHead(401).end('{"message":"Bad credentials"}'))
    for (const [config, reason] of [
      [{ repository: 'octocat/missing' }, 'The service knows nothing at this address (404).'],
      [{ apiUrl: receiver.url }, 'The service refused the credentials (401). Connect it again.'],
    ] as const) {
      const reply = await server.call(`/api/v1/organizations/${organizationId}/integrations`, {
        token: session,
        body: { type: 'github', config: { repository, token, apiUrl: emulator.url, ...config } },
      })
      expect([reply.status, ((await reply.json()) as { detail: string }).detail]).toEqual([422, reason])
    }
    await receiver.stop()
  })
})
