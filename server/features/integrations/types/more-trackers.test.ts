import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { CreatedIntegration, Integration } from '#contract/integrations.ts'
import type { IssueLink } from '#contract/issue-links.ts'
import { startAsanaDouble } from '#doubles/asana.ts'
import { startAzureDevopsDouble } from '#doubles/azure-devops.ts'
import { startClickUpDouble } from '#doubles/clickup.ts'
import type { TrackerDouble } from '#doubles/tracker-double.ts'
import { startTrelloDouble } from '#doubles/trello.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createOutbound, type Outbound } from '#server/platform/outbound/outbound.ts'
import { type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { releaseQueue } from '../delivery/queue.queries.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { findDefinition } from '../registry.ts'

/* Trackers that are polled, each against a double that refuses what the service does not document. */

let server: TestServer
let owner: BuiltUser
let session: string
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker' })
})
afterAll(() => server.stop())
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

const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

async function makeItem(message = 'The basket empties itself.'): Promise<string> {
  const { id } = await createFeedback(server.client, { organizationId, projectId: project.id, message })
  return id
}

const readItem = (id: string) => call<FeedbackDetail>(`/feedback/${id}`)

/** The item's link, once it is in a state. */
const waitForLink = (itemId: string, state = 'linked') =>
  until(async () => {
    const [link] = (await call<{ items: IssueLink[] }>(`/feedback/${itemId}/issues`)).items
    expect(link).toMatchObject({ state })
    return link
  })

/** What happens each minute. */
async function poll(): Promise<void> {
  await server.client.query('update integrations set polled_at = null where organization_id = $1', [organizationId])
  await server.client.query(`select graphile_worker.add_job('poll_trackers', '{}'::json)`)
}

/** Retries all that waits, as an owner does in the log. */
async function retry(integrationId: string): Promise<void> {
  const { rows } = await server.client.query<{ id: string }>(
    `select id from deliveries where integration_id = $1 and state = 'waiting'`,
    [integrationId],
  )
  for (const { id } of rows) await call(`/integrations/${integrationId}/deliveries/${id}/retry`, { method: 'POST' })
}

describe('the queue of an integration', () => {
  it.each([
    [
      'an event',
      `insert into deliveries (organization_id, integration_id, event_id, event_name, subject_id)
       values ($1, $2, gen_random_uuid(), 'feedback.deleted', gen_random_uuid())`,
    ],
    [
      'a synchronisation',
      `select app.request_issue_syncs($1, array_agg(id)) from issue_links where integration_id = $2`,
    ],
  ])(
    'is due with %s that is being added while a worker gives it back',
    async (_, adding) => {
      const double = await startTrelloDouble()
      const { id: integrationId } = await call<CreatedIntegration>('/integrations', {
        body: { type: 'trello', config: double.config },
      })
      const itemId = await makeItem()
      await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
      await waitForLink(itemId)
      const countWaiting = async () => {
        const text = `select from deliveries where integration_id = $1 and state = 'waiting'`
        return (await server.client.query(text, [integrationId])).rowCount
      }
      await until(async () => expect(await countWaiting()).toBe(0))
      const workerId = crypto.randomUUID()
      const database = openDatabase({ url: server.databaseUrl, log: createLog({ level: 'silent' }), maxConnections: 1 })
      await server.client.query(
        `update integration_queues set due_at = now(), leased_by = $2, leased_until = now() + interval '1 minute'
       where integration_id = $1`,
        [integrationId, workerId],
      )
      await server.client.query('begin')
      await server.client.query(adding, [organizationId, integrationId])
      const released = database.asSystem('a test gives a queue back', (tx) =>
        releaseQueue(tx, workerId, { organizationId, integrationId }, 0),
      )
      const blocked = vi.waitFor(async () => {
        const text = 'select from pg_locks where not granted'
        expect((await server.client.query(text)).rowCount).toBeGreaterThan(0)
      })
      await Promise.race([released, blocked.catch(() => {})])
      await server.client.query('commit')
      await released
      // As a worker wakes itself.
      await server.client.query('notify deliveries')
      await until(async () => expect(await countWaiting()).toBe(0))
      await database.close()
      await double.stop()
    },
    40_000,
  )
})

describe.each([
  ['trello', startTrelloDouble, ['labels'], 'labels'],
  ['asana', startAsanaDouble, ['labels', 'assignee'], 'tags'],
  ['clickup', startClickUpDouble, ['labels', 'priority', 'assignee'], 'tags'],
  ['azure_devops', startAzureDevopsDouble, ['labels', 'priority', 'assignee'], 'tags'],
] as const)('%s', (type, start, takes, labelsName) => {
  let double: TrackerDouble
  beforeEach(async () => {
    double = await start()
    return () => double.stop()
  })

  const connect = (config: object = {}) =>
    call<CreatedIntegration>('/integrations', { body: { type, config: { ...double.config, ...config } } })
  const shown = (key: string | undefined) => {
    const issue = double.issues().find((each) => each.key === key)
    if (!issue) throw new Error(`no issue ${key}`)
    return issue
  }

  it('keeps status and comments alike both ways, and stops there', async () => {
    const { id: integrationId, credentialsEndAt } = await connect({ [labelsName]: 'feedback, website' })
    expect(credentialsEndAt?.slice(0, 10) ?? null).toBe(double.endsOn)
    const itemId = await makeItem('It empties itself. @grace <img src=x> </body> [a](https://evil.example)')
    await server.client.query(`update feedback set visitor_email = 'grace@example.org' where id = $1`, [itemId])
    await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
    await waitForLink(itemId)
    const { key, ...issue } = shown(double.issues()[0]?.key)
    const [todo, started, done] = double.statuses
    expect(issue).toMatchObject({ status: todo, labels: ['feedback', 'website'], comments: [] })
    expect(issue.title).toBe('It empties itself. @grace <img src=x> </body> [a](https://evil.example)')
    expect(issue.body).toContain(`/dashboard/feedback?item=${itemId}`)
    const isHtml = issue.body.startsWith('<')
    const active = isHtml ? /<img|href="https:\/\/evil/ : /(?<!\\)<img|(?<!\\)\]\(https:\/\/evil/
    expect(issue.body).not.toMatch(active)
    expect(issue.body).not.toMatch(/grace@example\.org|@grace/)

    double.move(key, started)
    double.comment(key, 'Seen & mended in 1.2.')
    await poll()
    await until(async () => expect((await readItem(itemId)).status).toBe('in_progress'))
    const readNotes = async () => (await readItem(itemId)).comments.map(({ text, authorName }) => [text, authorName])
    await until(async () =>
      expect(await readNotes()).toEqual([['Seen & mended in 1.2.', expect.stringMatching(/^Grace · /)]]),
    )
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'resolved' } })
    await until(async () => expect(shown(key).status).toBe(done))
    double.move(key, todo)
    await poll()
    await until(async () => expect((await readItem(itemId)).status).toBe('open'))
    await call(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'in_progress' } })
    await until(async () => expect(shown(key).status).toBe(started))

    const note = { id: crypto.randomUUID(), kind: 'note', text: 'Only in <b>Firefox</b> & "Safari".' }
    await call(`/feedback/${itemId}/comments`, { body: note })
    await until(async () => expect(shown(key).comments).toHaveLength(2))
    expect(shown(key).comments[1]?.text).toMatch(/Ada Example.*Only in .*Firefox.*Safari/)
    // Neither side's changes are sent back to it, however often they are looked at.
    await poll()
    await until(async () => {
      const { rows } = await server.client.query(
        `select from deliveries where organization_id = $1 and state = 'waiting'
         union all select from graphile_worker.jobs where task_identifier in ('event:queue_deliveries', 'poll_trackers')`,
        [organizationId],
      )
      expect(rows).toHaveLength(0)
    })
    expect([shown(key).comments.length, (await readNotes()).length]).toEqual([2, 2])
    expect([shown(key).status, (await readItem(itemId)).status]).toEqual([started, 'in_progress'])
    const { rows: attempts } = await server.client.query<{ request: string }>(
      'select request from deliveries d join delivery_attempts a on a.delivery_id = d.id where integration_id = $1',
      [integrationId],
    )
    const basic = Buffer.from(`:${double.config.token}`).toString('base64')
    expect(attempts.filter(({ request }) => request.includes('•••')).length).toBe(attempts.length)
    for (const secret of [double.config.token, double.config.apiKey ?? basic, basic]) {
      expect(attempts.filter(({ request }) => request.includes(String(secret)))).toEqual([])
    }
    expect(double.refused).toEqual([])
  })

  it('finds an issue again whose creation was not answered, and a note’s copy likewise', async () => {
    const { id: integrationId } = await connect()
    const itemId = await makeItem()
    double.loseNextAnswer()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
    await waitForLink(itemId, 'failed')
    await retry(integrationId)
    await waitForLink(itemId)
    expect(double.issues()).toHaveLength(1)
    double.loseNextAnswer()
    await call(`/feedback/${itemId}/comments`, { body: { id: crypto.randomUUID(), kind: 'note', text: 'Once.' } })
    await until(async () => expect((await waitForLink(itemId))?.failure).not.toBeNull())
    await retry(integrationId)
    await until(async () => expect((await waitForLink(itemId))?.failure).toBeNull())
    expect(double.issues()[0]?.comments).toHaveLength(1)
    expect((await readItem(itemId)).comments).toHaveLength(1)
    expect(double.refused).toEqual([])
  })

  it('leaves a tracker alone for as long as it asks to', async () => {
    const { id: integrationId } = await connect()
    const itemId = await makeItem()
    await call(`/feedback/${itemId}/issues`, { body: { integrationId } })
    await waitForLink(itemId)
    const key = double.issues()[0]?.key ?? ''
    double.limit(1_800)
    await poll()
    await until(async () => expect(double.limited()).toBeGreaterThan(0))
    const readRest = async () => {
      const { rows } = await server.client.query<{ seconds: number }>(
        'select extract(epoch from polled_at - now())::float8 as seconds from integrations where id = $1',
        [integrationId],
      )
      return rows[0]?.seconds ?? 0
    }
    await until(async () => expect(await readRest()).toBeGreaterThan(1_500))
    const asked = double.limited()
    await server.client.query(`select graphile_worker.add_job('poll_trackers', '{}'::json)`)
    await until(async () => {
      const { rows } = await server.client.query(
        `select from graphile_worker.jobs where task_identifier = 'poll_trackers'`,
      )
      expect(rows).toHaveLength(0)
    })
    expect(double.limited()).toBe(asked)
    double.limit(null)
    double.move(key, double.statuses[1])
    await poll()
    await until(async () => expect((await readItem(itemId)).status).toBe('in_progress'))
  })

  it('links an existing issue alone, and says when it was deleted or the token was revoked', async () => {
    const { id: integrationId } = await connect()
    const first = await makeItem()
    await call(`/feedback/${first}/issues`, { body: { integrationId } })
    const url = (await waitForLink(first))?.url ?? ''
    const key = double.issues()[0]?.key ?? ''
    double.move(key, double.statuses[2])
    const second = await makeItem('The same again.')
    await call(`/feedback/${second}/issues`, { body: { integrationId, reference: url } })
    await waitForLink(second)
    await until(async () => expect((await readItem(second)).status).toBe('resolved'))
    for (const reference of [
      'none of these',
      'https://example.com/1',
      '../../members/me',
      'https://dev.azure.com/acme/Web%20shop/_workitems/edit/300',
    ]) {
      const reply = await server.call(`/api/v1/organizations/${organizationId}/feedback/${first}/issues`, {
        token: session,
        body: { integrationId, reference },
      })
      expect(await reply.json()).toMatchObject({ fields: [{ path: 'body.reference' }] })
    }
    for (const reference of double.foreign) {
      const other = await makeItem(reference)
      await call(`/feedback/${other}/issues`, { body: { integrationId, reference } })
      expect(await waitForLink(other, 'gone')).toMatchObject({ title: null, status: null })
    }

    double.remove(key)
    await call(`/feedback/${first}`, { method: 'PATCH', body: { status: 'open' } })
    expect((await waitForLink(first, 'gone'))?.failure).toMatch(/deleted/)

    double.revoke()
    await call(`/feedback/${await makeItem()}/issues`, { body: { integrationId } })
    await until(async () => {
      const { items } = await call<{ items: Integration[] }>('/integrations')
      const reason = expect.stringContaining('refused the credentials')
      expect(items).toMatchObject([{ id: integrationId, state: 'failing', reason }])
    })
    const refused = await server.call(`/api/v1/organizations/${organizationId}/integrations`, {
      token: session,
      body: { type, config: double.config },
    })
    expect(await refused.json()).toMatchObject({ code: 'integration_refused' })
    expect(double.refused).toEqual([])
  })

  it('takes what a draft carries, within the limits of the service', async () => {
    const tracker = findDefinition(type)?.tracker
    const outbound = createOutbound({ allowedHosts: [], allowLoopback: true, requireHttps: false })
    const api = { settings: double.config, send: createServiceClient(outbound, []).send }
    expect(tracker?.takes).toEqual(takes)
    const quote = `> ${'\\[漢\\]'.repeat(20_000)}`
    const body = `${quote}\n\n- **Type:** Bug\n\n[Bug 1 in Earshot](https://e.example/?item=1&link=marker-of-the-test)`
    const draft = {
      title: `${'😀'.repeat(120)}…`,
      body,
      marker: 'link=marker-of-the-test',
      labels: ['Checkout'],
      priority: 'urgent',
      assigneeEmail: 'grace@example.com',
    } as const
    const made = await tracker?.create(api, draft)
    const found = await tracker?.findByMarker(api, draft.marker)
    expect(found).toEqual(made)
    const issue = shown(made?.key)
    expect(issue).toMatchObject({
      labels: ['Checkout'],
      priority: takes.some((field: string) => field === 'priority') ? 'urgent' : null,
      assignee: takes.some((field: string) => field === 'assignee') ? 'grace@example.com' : null,
    })
    expect(issue.body).toMatch(/Type:.*Bug.*link=marker-of-the-test/s)
    // No one of this name works there: the issue is created all the same.
    const other = await tracker?.create(api, { ...draft, assigneeEmail: 'stranger@example.com', labels: [] })
    expect(shown(other?.key)).toMatchObject({ assignee: null, labels: [] })
    await tracker?.addComment(
      api,
      made?.key ?? '',
      `**Ada:** ${'😀'.repeat(60_000)}\n\n[Earshot](https://e.example/?note=1)`,
    )
    expect(shown(made?.key).comments[0]?.text).toContain('https://e.example/?note=1')
    expect(double.refused).toEqual([])
    await outbound.close()
  })
})

describe('trackers with statuses of their own', () => {
  let outbound: Outbound
  beforeAll(() => {
    outbound = createOutbound({ allowedHosts: [], allowLoopback: true, requireHttps: false })
  })
  afterAll(() => outbound.close())

  const draft = { title: 'It jumps', body: 'Now', marker: 'x', labels: [], priority: null, assigneeEmail: null }

  /** What people see, and what is read back, after each stage. */
  async function tour(type: string, double: TrackerDouble, config: object = {}) {
    const tracker = findDefinition(type)?.tracker
    const api = { settings: { ...double.config, ...config }, send: createServiceClient(outbound, []).send }
    const { key = '' } = (await tracker?.create(api, draft)) ?? {}
    const seen: unknown[] = []
    for (const stage of ['started', 'done', 'todo'] as const) {
      const set = await tracker?.setStage(api, key, stage)
      const read = (await tracker?.read(api, key))?.status
      expect(read).toEqual(set)
      seen.push([double.issues()[0]?.status, read?.name, read?.stage])
    }
    expect(double.refused).toEqual([])
    await double.stop()
    return seen
  }

  it('marks cards and tasks complete where no column is for finished work', async () => {
    expect(await tour('trello', await startTrelloDouble(['Ideas', 'Review']))).toEqual([
      ['Review', 'Review', 'started'],
      ['Review, complete', 'Complete', 'done'],
      ['Ideas', 'Ideas', 'todo'],
    ])
    expect(await tour('asana', await startAsanaDouble(['Backlog', 'Erledigt']))).toEqual([
      ['Backlog', 'Backlog', 'todo'],
      ['Erledigt, completed', 'Erledigt', 'done'],
      ['Backlog', 'Backlog', 'todo'],
    ])
    expect(await tour('asana', await startAsanaDouble(['Everything']))).toEqual([
      ['Everything', 'Everything', 'todo'],
      ['Everything, completed', 'Completed', 'done'],
      ['Everything', 'Everything', 'todo'],
    ])
  })

  it('moves bugs of Azure DevOps through the states of their type', async () => {
    const double = await startAzureDevopsDouble()
    expect(await tour('azure_devops', double, { workItemType: 'Bug' })).toEqual([
      ['Active', 'Active', 'started'],
      ['Resolved', 'Resolved', 'done'],
      ['New', 'New', 'todo'],
    ])
    expect(double.issues()[0]?.body).toBe('<div>Now</div>')
  })
})
