import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { openLiveChannel } from '#server/platform/events/live-channel.ts'
import { createLog } from '#server/platform/log/log.ts'
import { type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { type EventStream, followEvents } from '#server/testing/event-stream.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createFeedbackFeed } from './feedback-feed.ts'

/* Change notices to open inboxes, without a worker. */
let server: TestServer
let owner: BuiltUser
let organizationId: string
let projectId: string
let token: string
let path: string
let notices: EventStream

beforeAll(async () => {
  server = await startTestServer()
  // The first runs the instance, and would see everything.
  await createUser(server.client)
})
afterAll(() => server.stop())

beforeEach(async () => {
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  projectId = (await createProject(server.client, { organizationId })).id
  token = await server.signIn(owner)
  path = `/api/v1/organizations/${organizationId}/feedback`
  notices = await followEvents(server, organizationId, token)
  return () => notices.stop()
})

const make = async () => (await createFeedback(server.client, { organizationId, projectId })).id
const makeMany = (count: number) => Promise.all(Array.from({ length: count }, make))
const change = (id: string, body: unknown) => server.call(`${path}/${id}`, { method: 'PATCH', token, body })
const changeMany = (ids: readonly string[], of: unknown) =>
  server.call(`${path}/bulk`, { token, body: { id: crypto.randomUUID(), ids, change: of } })

describe('a change notice', () => {
  it('carries the rows of up to 50 items as they stand, and of more none', async () => {
    const ids = await makeMany(51)
    await changeMany(ids.slice(1), { priority: 'high' })
    const some = await notices.nextWithItems()
    expect(some?.ids.toSorted()).toEqual(ids.slice(1).toSorted())
    expect(some?.items.map(({ id }) => id)).toEqual(some?.ids)
    expect(new Set(some?.items.map(({ priority }) => priority))).toEqual(new Set(['high']))
    await changeMany(ids, { priority: 'low' })
    const many = await notices.nextWithItems()
    expect(many?.ids).toHaveLength(51)
    expect(many?.items).toEqual([])
  })

  it('is one for all that a request changes of an item', async () => {
    const id = await make()
    await change(id, { status: 'open', priority: 'high', tags: ['a'], assigneeId: owner.id })
    const notice = await notices.nextWithItems()
    expect(notice).toMatchObject({ kind: 'feedback.updated', ids: [id], items: [{ id, status: 'open', tags: ['a'] }] })
    await change(id, { priority: 'low' })
    expect(await notices.nextWithItems()).toMatchObject({ items: [{ priority: 'low' }] })
  })

  it('names items that are gone without a row', async () => {
    const id = await make()
    await change(id, { deleted: true })
    expect(await notices.nextWithItems()).toMatchObject({ ids: [id], items: [{ location: 'trash' }] })
    await server.call(`${path}/trash/empty`, { token, body: { ids: [id] } })
    expect(await notices.nextWithItems()).toEqual({ kind: 'feedback.updated', ids: [id], items: [] })
  })

  it('names every item that a merge or its undoing concerns, or none of very many', async () => {
    const [target, item, ...under] = await makeMany(202)
    if (!target || !item) throw new Error('not made')
    await server.client.query('update feedback set merged_into = $1 where id = any ($2)', [item, under.slice(0, 100)])
    await notices.next()
    await server.call(`${path}/${item}/merge`, { token, body: { into: target } })
    const merged = (await notices.next()) as { ids: string[] }
    expect(merged.ids.toSorted()).toEqual([target, item, ...under.slice(0, 100)].toSorted())
    await server.call(`${path}/${item}/unmerge`, { token, body: { take: under.slice(0, 100) } })
    expect(((await notices.next()) as { ids: string[] }).ids.toSorted()).toEqual(merged.ids.toSorted())
    await server.client.query('update feedback set merged_into = $1 where id = any ($2)', [item, under])
    await notices.next()
    await server.call(`${path}/${item}/merge`, { token, body: { into: target } })
    expect(await notices.next()).toEqual({ kind: 'feedback.updated', ids: [] })
  })

  it('is made by one query and written once, however many follow', async () => {
    const id = await make()
    let queries = 0
    const database = openDatabase({ url: server.databaseUrl, log: createLog({ level: 'silent' }), maxConnections: 2 })
    const asSystem: Database['asSystem'] = (reason, fn) => {
      queries += 1
      return database.asSystem(reason, fn)
    }
    const feed = createFeedbackFeed({ ...database, asSystem })
    const texts: string[] = []
    const follower = {
      onNotice: (_: unknown, text: string) => void texts.push(text),
      onGap: () => {},
      onMemberGone: () => {},
    }
    for (let count = 0; count < 20; count += 1) feed.follow(organizationId, { ...follower })
    const stop = await openLiveChannel(database, [feed.subscriber])
    await change(id, { priority: 'high' })
    await expect.poll(() => texts).toHaveLength(20)
    expect(queries).toBe(1)
    expect(new Set(texts).size).toBe(1)
    await stop()
    await database.close()
  })
})
