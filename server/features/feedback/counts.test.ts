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
      unread: 0,
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
      limit: 1000,
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
      unread: 2,
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
      limit: 1000,
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

  it('stops counting at its limit', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    await server.client.query(
      `insert into public.feedback (organization_id, project_id, id, number, type, source, message, page_url, content_hash)
       select $1, $2, gen_random_uuid(), n, 'idea', 'api', 'x', '/', sha256('x') from generate_series(1, 1001) n`,
      [organizationId, project],
    )
    expect(await count(`projectId=${project}`)).toMatchObject({
      locations: { inbox: 1000 },
      unread: 1000,
      source: { api: 1000 },
    })
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

  it('refuses an unknown location, naming the field', async () => {
    const reply = await server.call(`${path}/counts?location=attic`, { token })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ fields: [{ path: 'query.location' }] })
  })
})
