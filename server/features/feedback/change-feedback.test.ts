import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { deliverNotifications } from '#server/testing/deliver-events.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let ownerId: string
let token: string
let organizationId: string
let path: string
let projectId: string

beforeAll(async () => {
  server = await startTestServer()
  const owner = await createUser(server.client, { fullName: 'Ada Lovelace' })
  ownerId = owner.id
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId })).id
})

afterAll(() => server.stop())

async function makeItem(): Promise<string> {
  return (await createFeedback(server.client, { organizationId, projectId })).id
}

async function change(id: string, body: unknown, bearer = token): Promise<Response> {
  return server.call(`${path}/${id}`, { method: 'PATCH', token: bearer, body })
}

async function changed(id: string, body: unknown): Promise<FeedbackDetail> {
  const reply = await change(id, body)
  expect(reply.status).toBe(200)
  return (await reply.json()) as FeedbackDetail
}

describe('PATCH …/feedback/{feedbackId}', () => {
  it('assigns and unassigns an item, with names in the history', async () => {
    const id = await makeItem()
    const member = await createMember(server.client, { organizationId, role: 'member' })
    await server.client.query("update profiles set full_name = 'Grace Hopper' where user_id = $1", [member.id])
    expect(await changed(id, { assigneeId: ownerId })).toMatchObject({ assigneeId: ownerId, version: 2 })
    await changed(id, { assigneeId: member.id })
    expect((await changed(id, { assigneeId: null })).history).toMatchObject([
      { field: 'assignee', from: null, to: 'Ada Lovelace', actorName: 'Ada Lovelace' },
      { field: 'assignee', from: 'Ada Lovelace', to: 'Grace Hopper' },
      { field: 'assignee', from: 'Grace Hopper', to: null },
    ])
  })

  it('notifies an assignee once for all items assigned together, and no one of their own change', async () => {
    const ids = [await makeItem(), await makeItem(), await makeItem()]
    const member = await createMember(server.client, { organizationId, role: 'member' })
    await changed(ids[0] ?? '', { assigneeId: member.id })
    await changed(ids[0] ?? '', { assigneeId: member.id, priority: 'low' })
    await changed(ids[0] ?? '', { assigneeId: ownerId })
    const body = { id: crypto.randomUUID(), ids, change: { assigneeId: member.id } }
    for (let time = 0; time < 2; time += 1) await server.call(`${path}/bulk`, { token, body })
    await deliverNotifications(server)
    const { rows } = await server.client.query(
      'select user_id, kind, item_count from notifications where organization_id = $1 order by id',
      [organizationId],
    )
    const told = { user_id: member.id, kind: 'assigned' }
    expect(rows.filter(({ user_id: userId }) => userId === ownerId)).toEqual([])
    expect(rows.filter(({ user_id: userId }) => userId === member.id)).toEqual([
      { ...told, item_count: 1 },
      { ...told, item_count: 3 },
    ])
  })

  it('refuses an assignee who is no member, or no longer one', async () => {
    const id = await makeItem()
    const stranger = await createUser(server.client)
    const removed = await createMember(server.client, { organizationId, role: 'member' })
    await server.client.query('delete from memberships where user_id = $1', [removed.id])
    for (const assigneeId of [stranger.id, removed.id, crypto.randomUUID()]) {
      const reply = await change(id, { assigneeId, status: 'open' })
      expect(reply.status).toBe(404)
      expect(await reply.json()).toMatchObject({ code: 'member_not_found' })
    }
    expect(await (await server.call(`${path}/${id}`, { token })).json()).toMatchObject({ status: 'new', version: 1 })
  })

  it('unassigns the items of a member who leaves', async () => {
    const id = await makeItem()
    const member = await createMember(server.client, { organizationId, role: 'member' })
    await changed(id, { assigneeId: member.id })
    await server.client.query('delete from memberships where user_id = $1', [member.id])
    expect(await (await server.call(`${path}/${id}`, { token })).json()).toMatchObject({ assigneeId: null, version: 3 })
  })

  it('trims tags and keeps each once, ignoring letter case', async () => {
    const id = await makeItem()
    const item = await changed(id, { tags: [' Checkout ', 'login', 'CHECKOUT', 'Login', 'größe', 'GRÖSSE'] })
    expect(item.tags).toEqual(['Checkout', 'login', 'größe', 'GRÖSSE'])
    expect(await changed(id, { tags: ['Checkout', 'login', 'größe', 'GRÖSSE'] })).toMatchObject({ version: 2 })
    expect(await changed(id, { tags: [] })).toMatchObject({ tags: [], version: 3 })
    const blank = await change(id, { tags: ['a', '   '] })
    expect(await blank.json()).toMatchObject({ fields: [{ path: 'body.tags.1' }] })
    const many = await change(id, { tags: Array.from({ length: 21 }, (_, index) => `${index}`) })
    expect(await many.json()).toMatchObject({ fields: [{ path: 'body.tags' }] })
  })

  it('moves an item to the trash and restores it unchanged', async () => {
    const id = await makeItem()
    await changed(id, { archived: true, priority: 'high' })
    expect(await changed(id, { deleted: true })).toMatchObject({
      location: 'trash',
      deletedAt: expect.any(String) as string,
    })
    const restored = await changed(id, { deleted: false })
    expect(restored).toMatchObject({ location: 'archived', priority: 'high', deletedAt: null })
    expect(await changed(id, { archived: false })).toMatchObject({ location: 'inbox' })
  })

  it('refuses one of two simultaneous changes to the same field, and overwrites nothing', async () => {
    const id = await makeItem()
    const colleague = await server.signIn(await createMember(server.client, { organizationId, role: 'member' }))
    const replies = await Promise.all([
      change(id, { tags: ['mine'], version: 1 }),
      change(id, { tags: ['theirs'], version: 1 }, colleague),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = (await replies.find(({ status }) => status === 200)?.json()) as FeedbackDetail
    const lost = await replies.find(({ status }) => status === 409)?.json()
    expect(lost).toMatchObject({ code: 'edit_conflict' })
    expect(await (await server.call(`${path}/${id}`, { token })).json()).toMatchObject({ tags: won.tags, version: 2 })
  })

  it('keeps the closed status and its reason consistent under simultaneous changes', async () => {
    const id = await makeItem()
    await changed(id, { status: 'closed' })
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        change(id, turn % 2 === 0 ? { closedReason: 'wont_fix' } : { status: turn % 4 === 1 ? 'open' : 'closed' }),
      ),
    )
    for (const { status } of replies) expect([200, 400]).toContain(status)
  })

  it('answers 404 for an item of a deleted project', async () => {
    const elsewhere = await createProject(server.client, { organizationId })
    const { id } = await createFeedback(server.client, { organizationId, projectId: elsewhere.id })
    await server.client.query('delete from projects where id = $1', [elsewhere.id])
    const reply = await change(id, { status: 'open', version: 1 })
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ code: 'feedback_not_found' })
  })
})
