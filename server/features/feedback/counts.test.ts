import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { FeedbackCounts } from './counts.queries.ts'

let server: TestServer
let token: string
let organizationId: string
let path: string
let shop: string
let blog: string

async function count(query = ''): Promise<FeedbackCounts> {
  const reply = await server.call(`${path}/counts?${query}`, { token })
  expect(reply.status).toBe(200)
  return (await reply.json()) as FeedbackCounts
}

const add = async (projectId: string) => (await createFeedback(server.client, { organizationId, projectId })).id

async function change(id: string, body: unknown): Promise<void> {
  expect((await server.call(`${path}/${id}`, { method: 'PATCH', token, body })).status).toBe(200)
}

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web' })
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  shop = (await createProject(server.client, { organizationId })).id
  blog = (await createProject(server.client, { organizationId })).id
})

afterAll(() => server.stop())

describe('GET …/feedback/counts', () => {
  it('counts the items of each location, and of one location by each value', async () => {
    expect(await count()).toEqual({
      locations: {},
      stages: { open: 0, done: 0 },
      unread: 0,
      unanswered: 0,
      status: {},
      priority: {},
      type: {},
      source: {},
      media: {},
      rating: {},
      tag: {},
      assignee: {},
      project: {},
      inTrash: 0,
      hasTracker: false,
    })
    const member = await createMember(server.client, { organizationId, role: 'member' })
    const [first = '', second = '', third = ''] = [await add(shop), await add(shop), await add(shop)]
    await add(blog)
    await change(first, {
      status: 'open',
      priority: 'high',
      assigneeId: member.id,
      tags: ['iOS', 'Legal'],
      viewed: true,
    })
    await change(second, { tags: ['iOS'] })
    await change(third, { tags: ['ios'], archived: true })
    await server.client.query('update public.feedback set rating = 5 where id = $1', [first])
    await server.client.query(
      `insert into public.feedback_attachments (organization_id, id, feedback_id, kind)
       values ($1, gen_random_uuid(), $2, 'voice'), ($1, gen_random_uuid(), $2, 'voice')`,
      [organizationId, second],
    )
    const inbox = {
      locations: { inbox: 3, archived: 1 },
      stages: { open: 3, done: 0 },
      unread: 2,
      unanswered: 0,
      status: { new: 2, open: 1 },
      priority: { none: 2, high: 1 },
      type: { bug: 3 },
      source: { widget: 3 },
      media: { text: 3, rating: 1, voice: 1 },
      rating: { 5: 1 },
      tag: { iOS: 2, Legal: 1 },
      assignee: { none: 2, [member.id]: 1 },
      project: { [shop]: 2, [blog]: 1 },
      inTrash: 0,
      hasTracker: false,
    }
    expect(await count()).toEqual(inbox)
    // Folding changes no sum, however often.
    for (let turn = 0; turn < 2; turn += 1) await server.client.query('select app.fold_feedback_counts()')
    expect(await count()).toEqual(inbox)
    expect(await count('location=archived')).toMatchObject({ tag: { ios: 1 }, project: { [shop]: 1 }, unread: 1 })
    await change(second, { deleted: true })
    expect(await count(`projectId=${blog}`)).toMatchObject({
      locations: { inbox: 1 },
      inTrash: 1,
      hasTracker: false,
      status: { new: 1 },
      tag: {},
      project: { [shop]: 1, [blog]: 1 },
    })
  })

  it('follows removed items, members and projects', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    const member = await createMember(server.client, { organizationId, role: 'member' })
    const [kept = '', gone = ''] = [await add(project), await add(project)]
    await change(kept, { assigneeId: member.id })
    await server.client.query('delete from public.memberships where user_id = $1', [member.id])
    await server.client.query('delete from public.feedback where id = $1', [gone])
    expect(await count(`projectId=${project}`)).toMatchObject({ locations: { inbox: 1 }, assignee: { none: 1 } })
    await server.client.query('delete from public.projects where id = $1', [project])
    expect((await count()).project).not.toHaveProperty(project)
  })

  it('shows a tag in its most frequent spelling', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    for (const tag of ['ux', 'UX', 'UX']) await change(await add(project), { tags: [tag] })
    expect((await count(`projectId=${project}`)).tag).toEqual({ UX: 3 })
  })

  it('counts open and done items apart, and every one of them', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    await server.client.query(
      `insert into public.feedback
         (organization_id, project_id, id, number, type, source, status, message, visitor_email, page_url, content_hash)
       select $1, $2, gen_random_uuid(), n, 'idea', 'api', case when n <= 1200 then 'new' else 'resolved' end, 'x',
         case when n % 2 = 0 then 'ada@example.com' end, '/', sha256('x')
       from generate_series(1, 1300) n`,
      [organizationId, project],
    )
    const all = { locations: { inbox: 1300 }, stages: { open: 1200, done: 100 } }
    expect(await count(`projectId=${project}`)).toMatchObject({ ...all, source: { api: 1300 }, unanswered: 650 })
    expect(await count(`projectId=${project}&stage=open`)).toMatchObject({
      ...all,
      source: { api: 1200 },
      status: { new: 1200 },
      unanswered: 600,
      project: { [project]: 1200 },
    })
    const { rows } = await server.client.query<{ id: string }>(
      "select id from public.feedback where project_id = $1 and status = 'new' limit 2",
      [project],
    )
    const [resolved = '', archived = ''] = rows.map(({ id }) => id)
    await change(resolved, { status: 'resolved' })
    await change(archived, { status: 'closed', archived: true })
    expect(await count(`projectId=${project}&stage=done`)).toMatchObject({
      locations: { inbox: 1299, archived: 1 },
      stages: { open: 1198, done: 101 },
      status: { resolved: 101 },
      source: { api: 101 },
    })
    await change(resolved, { status: 'open' })
    await change(archived, { archived: false })
    expect((await count(`projectId=${project}`)).stages).toEqual({ open: 1199, done: 101 })
  })

  it('counts nothing of another organisation', async () => {
    const stranger = await createUser(server.client)
    const other = await server.signIn(stranger)
    expect((await server.call(`${path}/counts`, { token: other })).status).toBe(404)
    const own = await server.call(
      `/api/v1/organizations/${stranger.organizationId}/feedback/counts?projectId=${shop}`,
      {
        token: other,
      },
    )
    expect(await own.json()).toMatchObject({ locations: {}, project: {} })
  })

  it('counts as unanswered who left an address or wrote again, until the team replies', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    const id = await add(project)
    const unanswered = async () => (await count(`projectId=${project}`)).unanswered
    const say = (kind: string, fromVisitor: boolean, solved: boolean | null = null) =>
      server.client.query(
        `insert into public.feedback_comments (organization_id, id, feedback_id, kind, text, from_visitor, solved)
         values ($1, gen_random_uuid(), $2, $3, 'x', $4, $5)`,
        [organizationId, id, kind, fromVisitor, solved],
      )
    expect(await unanswered()).toBe(0)
    await server.client.query("update public.feedback set visitor_email = 'ada@example.com' where id = $1", [id])
    expect(await unanswered()).toBe(1)
    await say('note', false)
    expect(await unanswered()).toBe(1)
    await say('reply', false)
    expect(await unanswered()).toBe(0)
    await say('reply', true, false)
    await say('note', false)
    expect(await unanswered()).toBe(1)
    await say('reply', true, true)
    expect(await unanswered()).toBe(0)
  })

  it('refuses an unknown location, naming the field', async () => {
    const reply = await server.call(`${path}/counts?location=attic`, { token })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ fields: [{ path: 'query.location' }] })
  })
})

describe('GET …/feedback/matches', () => {
  const countMatches = async (query: string, caller = token, organization = organizationId) => {
    const reply = await server.call(`/api/v1/organizations/${organization}/feedback/matches?${query}`, {
      token: caller,
    })
    expect(reply.status).toBe(200)
    return ((await reply.json()) as { count: number }).count
  }

  it('counts the items of a selection that the sums by value cannot tell', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    const [first = '', second = ''] = [await add(project), await add(project)]
    await add(project)
    await change(first, { priority: 'high', tags: ['iOS'] })
    await change(second, { priority: 'high' })
    expect(await countMatches(`projectId=${project}`)).toBe(3)
    expect(await countMatches(`projectId=${project}&priority=high&status=new`)).toBe(2)
    expect(await countMatches(`projectId=${project}&priority=high&tag=ios&status=new`)).toBe(1)
    expect(await countMatches(`projectId=${project}&location=archived`)).toBe(0)
    expect(await countMatches(`projectId=${project}&priority=high&from=2099-01-01T00:00:00.000Z`)).toBe(0)
    expect(await countMatches(`projectId=${project}&q=%231`)).toBe(1)
    expect(await countMatches(`projectId=${project}&q=…`)).toBe(0)
  })

  it('counts nothing of another organisation', async () => {
    const stranger = await createUser(server.client)
    const other = await server.signIn(stranger)
    const path = `/api/v1/organizations/${organizationId}/feedback/matches`
    expect((await server.call(path, { token: other })).status).toBe(404)
    expect(await countMatches(`projectId=${shop}`, other, stranger.organizationId ?? '')).toBe(0)
  })
})

describe('GET …/feedback/groups', () => {
  const group = async (query: string, caller = token) => {
    const reply = await server.call(`${path}/groups?${query}`, { token: caller })
    expect(reply.status, await reply.clone().text()).toBe(200)
    const { groups, isComplete } = (await reply.json()) as {
      groups: { value: string; count: number }[]
      isComplete: boolean
    }
    expect(isComplete).toBe(true)
    return Object.fromEntries(groups.map(({ value, count }) => [value, count]))
  }

  it('counts a selection by each value, the same by kept sums and by counting', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    const { id: sibling } = await createProject(server.client, { organizationId })
    const member = await createMember(server.client, { organizationId, role: 'member' })
    const ids: string[] = []
    const moments = ['2026-03-01T22:30:00Z', '2026-03-01T23:30:00Z', '2026-03-02T09:00:00Z', '2026-03-05T09:00:00Z']
    for (const at of moments) {
      const item = { organizationId, projectId: project, message: 'Grouped', createdAt: new Date(at) }
      ids.push((await createFeedback(server.client, item)).id)
    }
    const { id: other } = await createFeedback(server.client, {
      organizationId,
      projectId: sibling,
      message: 'Grouped',
    })
    await change(ids[0] ?? '', { status: 'open', priority: 'high', assigneeId: member.id })
    await change(ids[1] ?? '', { status: 'resolved', priority: 'high' })
    const both = `projectId=${project}&projectId=${sibling}`
    const open = 'status=new&status=open&status=in_progress'
    // A search has no sums.
    for (const counted of [both, `${both}&q=grouped`]) {
      expect(await group(`by=status&${counted}`), counted).toEqual({ new: 3, open: 1, resolved: 1 })
      expect(await group(`by=status&${counted}&${open}`), counted).toEqual({ new: 3, open: 1 })
      expect(await group(`by=priority&${counted}`), counted).toEqual({ none: 3, high: 2 })
      expect(await group(`by=type&${counted}`), counted).toEqual({ bug: 5 })
      expect(await group(`by=assignee&${counted}&${open}`), counted).toEqual({ none: 3, [member.id]: 1 })
      expect(await group(`by=project&${counted}`), counted).toEqual({ [project]: 4, [sibling]: 1 })
      expect(await group(`by=project&${counted.replace(`&projectId=${sibling}`, '')}`), counted).toEqual({
        [project]: 4,
      })
    }
    expect(await group(`by=priority&${both}&priority=high&${open}`)).toEqual({ high: 1 })
    const [own] = both.split('&')
    expect(await group(`by=day&${own}`)).toEqual({ '2026-03-01': 2, '2026-03-02': 1, '2026-03-05': 1 })
    expect(await group(`by=day&${own}&timeZone=Europe/Berlin`)).toEqual({
      '2026-03-01': 1,
      '2026-03-02': 2,
      '2026-03-05': 1,
    })
    expect(await group(`by=type&${both}&q=%231`)).toEqual({ bug: 2 })
    // The others came before the member's time of reading. One that was marked as unread counts again.
    expect(await group(`by=type&${both}&unread=true`)).toEqual({ bug: 1 })
    await change(ids[2] ?? '', { viewed: false })
    expect(await group(`by=type&${both}&unread=true`)).toEqual({ bug: 2 })
    await change(other, { viewed: true })
    expect(await group(`by=type&${both}&unread=true`)).toEqual({ bug: 1 })
    expect(await group(`by=type&${both}&location=archived`)).toEqual({})
    expect(await group(`by=status&${both}&q=…`)).toEqual({})
  })

  it('refuses what it does not group by, and counts nothing of another organisation', async () => {
    for (const [query, field] of [
      ['by=mood', 'query.by'],
      ['', 'query.by'],
      ['by=day&timeZone=Mars/Base', 'query.timeZone'],
    ]) {
      const reply = await server.call(`${path}/groups?${query}`, { token })
      expect([reply.status, await reply.json()]).toMatchObject([400, { fields: [{ path: field }] }])
    }
    const other = await server.signIn(await createUser(server.client))
    expect((await server.call(`${path}/groups?by=status`, { token: other })).status).toBe(404)
  })
})
