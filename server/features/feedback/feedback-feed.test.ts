import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { openLiveChannel } from '#server/platform/events/live-channel.ts'
import { createLog } from '#server/platform/log/log.ts'
import {
  type BuiltUser,
  createFeedback,
  createMember,
  createProject,
  createUser,
  createWorkingKey,
} from '#server/testing/builders.ts'
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

  it('tells of issues that items are linked to, with the rows, and not of what synchronisation notes for itself', async () => {
    const [id = '', other = ''] = await makeMany(2)
    const query = (text: string, ...values: unknown[]) => server.client.query(text, [organizationId, ...values])
    await query(
      `insert into integrations (organization_id, type, name, settings, secrets, event_names, is_tracker, created_by)
       values ($1, 'github', 'GitHub', '{}', '', '{feedback.created}', true, $2)`,
      owner.id,
    )
    await query(
      `insert into issue_links (organization_id, integration_id, feedback_id)
       select organization_id, id, unnest($2::uuid[]) from integrations where organization_id = $1`,
      [id, other],
    )
    const creating = { state: 'creating', label: null, status: null, isDone: false }
    const linked = await notices.nextWithItems()
    expect(linked?.ids.toSorted()).toEqual([id, other].toSorted())
    expect(linked?.items.map(({ issues }) => issues)).toEqual([[creating], [creating]])
    await query(`update issue_links set intended_stage = 'done', synced_at = now() where organization_id = $1`)
    await query(
      `update issue_links set state = 'linked', issue_key = 'a#1', label = 'a#1', status_name = 'Closed', stage = 'dropped'
       where organization_id = $1 and feedback_id = $2`,
      id,
    )
    const closed = [{ state: 'linked', label: 'a#1', status: 'Closed', isDone: true }]
    expect(await notices.nextWithItems()).toMatchObject({ ids: [id], items: [{ issues: closed }] })
    const key = await createWorkingKey(server.client, { organizationId, projectId })
    for (const [address, reader] of [[path, token] as const, ['/api/v1/feedback', key] as const]) {
      const reply = await server.call(address, { token: reader })
      const listed = (await reply.json()) as { items: { id: string; issues: object[] }[] }
      expect(listed.items.find((item) => item.id === id)?.issues).toEqual(closed)
    }
    const counts = () => server.call(`${path}/counts`, { token }).then((reply) => reply.json())
    expect(await counts()).toMatchObject({ hasTracker: true })
    await query(`update integrations set state = 'paused' where organization_id = $1`)
    expect(await counts()).toMatchObject({ hasTracker: false })
    await query('delete from issue_links where organization_id = $1 and feedback_id = $2', id)
    expect(await notices.nextWithItems()).toMatchObject({ ids: [id], items: [{ issues: [] }] })
  })

  it('tells of another plan or payment once for each transaction, without a row', async () => {
    await server.client.query(
      `with changed as (
         select app.set_subscription($1, 'active', (select id from plans where key = 'starter'), null)
       )
       select app.write_event($1, 'subscription.started', array[$1], '{"subscriptions": []}') from changed`,
      [organizationId],
    )
    const notice = { kind: 'subscription.changed', ids: [organizationId], items: [] }
    expect(await notices.nextWithItems()).toEqual(notice)
    const id = await make()
    await change(id, { priority: 'high' })
    expect(await notices.nextWithItems()).toMatchObject({ ids: [id] })
  })

  it('names of the notified members its reader alone', async () => {
    const { id } = await createMember(server.client, { organizationId, role: 'member' })
    const notify = (ids: readonly string[]) =>
      server.client.query(`select app.send_live_message($1, 'notifications', $2)`, [organizationId, ids])
    await notify([id])
    await notify([id, owner.id])
    expect(await notices.next()).toEqual({ kind: 'notifications', ids: [owner.id] })
  })

  it('reaches a member who is removed no more: the stream ends', async () => {
    const member = await createMember(server.client, { organizationId, role: 'member' })
    const theirs = await followEvents(server, organizationId, await server.signIn(member))
    await server.client.query('delete from memberships where user_id = $1', [member.id])
    let notice: unknown
    do notice = await theirs.next()
    while (notice !== undefined)
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
      userId: owner.id,
      onNotice: (_: unknown, text: string) => void texts.push(text),
      onGap: () => {},
      onAccessChanged: () => {},
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
