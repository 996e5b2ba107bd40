import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SavedView } from '#contract/views.ts'
import { createMember, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let path: string
let token: string
let colleagueId: string
let colleague: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
})

afterAll(() => server.stop())

beforeEach(async () => {
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/views`
  token = await server.signIn(owner)
  const member = await createMember(server.client, { organizationId, role: 'viewer' })
  colleagueId = member.id
  colleague = await server.signIn(member)
})

async function save(view: Partial<SavedView>, bearer = token): Promise<Response> {
  const body = { id: crypto.randomUUID(), name: 'Urgent', search: 'priority=urgent', isShared: false, ...view }
  return server.call(path, { token: bearer, body })
}

async function create(view: Partial<SavedView>, bearer = token): Promise<SavedView> {
  const reply = await save(view, bearer)
  expect(reply.status).toBe(201)
  return (await reply.json()) as SavedView
}

async function names(bearer = token): Promise<string[]> {
  const { items } = (await (await server.call(path, { token: bearer })).json()) as { items: SavedView[] }
  return items.map(({ name }) => name)
}

function change(id: string, body: unknown, bearer = token): Promise<Response> {
  return server.call(`${path}/${id}`, { method: 'PATCH', token: bearer, body })
}

function remove(id: string, bearer = token): Promise<Response> {
  return server.call(`${path}/${id}`, { method: 'DELETE', token: bearer })
}

describe('saved views', () => {
  it('are listed by name, shared and private ones together', async () => {
    await create({ name: 'zebra' })
    await create({ name: 'Bugs', isShared: true })
    await create({ name: 'apples', isShared: true }, colleague)
    await create({ name: 'Hidden' }, colleague)
    expect(await names()).toEqual(['apples', 'Bugs', 'zebra'])
    expect(await names(colleague)).toEqual(['apples', 'Bugs', 'Hidden'])
  })

  it('are not found by other members while private', async () => {
    const { id } = await create({})
    expect((await change(id, { name: 'Mine' }, colleague)).status).toBe(404)
    expect((await remove(id, colleague)).status).toBe(404)
    expect(await names()).toEqual(['Urgent'])
  })

  it('are changed and deleted by every member when shared, and made private by their owner alone', async () => {
    const { id } = await create({ isShared: true })
    const changed = await change(id, { name: ' Pressing ', search: '' }, colleague)
    expect(changed.status).toBe(200)
    expect(await changed.json()).toMatchObject({ name: 'Pressing', search: '', isShared: true, isOwn: false })
    expect((await change(id, { isShared: false }, colleague)).status).toBe(403)
    expect((await change(id, { isShared: false })).status).toBe(200)
    expect(await names(colleague)).toEqual([])
    await change(id, { isShared: true })
    expect((await remove(id, colleague)).status).toBe(204)
    expect((await remove(id)).status).toBe(404)
    expect(await names()).toEqual([])
  })

  it('are saved once, however often the same request is sent', async () => {
    const view = { id: crypto.randomUUID(), name: 'Once', search: 'q=a', isShared: true }
    const replies = await Promise.all([save(view), save(view), save(view)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect((await save({ ...view, name: 'Twice' })).status).toBe(422)
    expect((await save(view, colleague)).status).toBe(422)
    expect(await names()).toEqual(['Once'])
  })

  it('are at most a hundred per person, also under simultaneous requests', async () => {
    const replies = await Promise.all(Array.from({ length: 104 }, (_, n) => save({ name: `View ${n}` })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(100)
    const refused = replies.find(({ status }) => status !== 201)
    expect(refused?.status).toBe(409)
    expect(await refused?.json()).toMatchObject({
      code: 'too_many_views',
      title: expect.stringContaining('100') as string,
    })
    await create({ name: 'A colleague’s' }, colleague)
  })

  it('need a name', async () => {
    for (const reply of [await save({ name: '   ' }), await change((await create({})).id, { name: '  ' })]) {
      expect(reply.status).toBe(400)
      expect(await reply.json()).toMatchObject({ fields: [{ path: 'body.name' }] })
    }
  })

  it('stay with the team when their owner leaves, unless they were private', async () => {
    await create({ name: 'Shared', isShared: true }, colleague)
    await create({ name: 'Private' }, colleague)
    await server.client.query('delete from memberships where user_id = $1', [colleagueId])
    expect(await names()).toEqual(['Shared'])
    const { rows } = await server.client.query('select name from saved_views where owner_user_id = $1', [colleagueId])
    expect(rows).toEqual([{ name: 'Shared' }])
  })
})
