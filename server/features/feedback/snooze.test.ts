import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BulkOperation } from '#contract/bulk.ts'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import { createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { followEvents } from '#server/testing/event-stream.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let token: string
let organizationId: string
let projectId: string
let path: string

const later = new Date(Date.now() + 86_400_000).toISOString()

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web' })
  const owner = await createUser(server.client, { fullName: 'Ada Lovelace' })
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId })).id
})

afterAll(() => server.stop())

const add = async () => (await createFeedback(server.client, { organizationId, projectId })).id
const get = async (id: string) => (await (await server.call(`${path}/${id}`, { token })).json()) as FeedbackDetail

async function change(id: string, body: unknown): Promise<Response> {
  return server.call(`${path}/${id}`, { method: 'PATCH', token, body })
}

async function list(location: string): Promise<string[]> {
  const reply = await server.call(`${path}?location=${location}&status=new`, { token })
  return ((await reply.json()) as { items: FeedbackListItem[] }).items.map(({ id }) => id)
}

/** As if the snooze had been until a moment ago. */
async function letTimePass(id: string): Promise<void> {
  await server.client.query(`update public.feedback set snoozed_until = now() - interval '1 second' where id = $1`, [
    id,
  ])
}

describe('a snoozed item', () => {
  it('leaves the inbox, is listed and counted as snoozed, and returns at its time', async () => {
    const [id, other] = [await add(), await add()]
    const events = await followEvents(server, organizationId, token)
    expect((await change(id, { snoozedUntil: later })).status).toBe(200)
    expect(await get(id)).toMatchObject({ location: 'snoozed', snoozedUntil: later, version: 2 })
    expect(await list('inbox')).toEqual([other])
    expect(await list('snoozed')).toEqual([id])
    const counts = await (await server.call(`${path}/counts`, { token })).json()
    expect(counts).toMatchObject({ locations: { inbox: 1, snoozed: 1 }, stages: { open: 1, done: 0 } })
    await server.client.query('select app.wake_feedback(10)')
    expect(await list('snoozed')).toEqual([id])
    await letTimePass(id)
    const { rows } = await server.client.query('select app.wake_feedback(10) as count')
    expect(rows).toEqual([{ count: 1 }])
    const woken = await get(id)
    expect(woken).toMatchObject({ location: 'inbox', snoozedUntil: null })
    expect(
      woken.history.filter(({ field }) => field === 'snoozed').map(({ actorName, to }) => [actorName, to]),
    ).toEqual([
      ['Ada Lovelace', later],
      [null, expect.any(String)],
      [null, null],
    ])
    // Browsers that are open learn it at once.
    expect(await events.nextWithItems()).toMatchObject({ items: [{ id, location: 'snoozed' }] })
    await events.nextWithItems()
    expect(await events.nextWithItems()).toMatchObject({ items: [{ id, location: 'inbox', snoozedUntil: null }] })
    events.stop()
  })

  it('returns at once when the visitor writes', async () => {
    const id = await add()
    await change(id, { snoozedUntil: later })
    await server.client.query(
      `insert into public.feedback_comments (organization_id, id, feedback_id, kind, text, from_visitor)
       values ($1, gen_random_uuid(), $2, 'reply', 'Still broken', true)`,
      [organizationId, id],
    )
    expect(await get(id)).toMatchObject({ location: 'inbox', snoozedUntil: null, unread: true })
  })

  it('stays where it was put away meanwhile', async () => {
    const id = await add()
    await change(id, { snoozedUntil: later })
    await change(id, { archived: true })
    expect(await get(id)).toMatchObject({ location: 'archived' })
    await letTimePass(id)
    await server.client.query('select app.wake_feedback(10)')
    expect(await get(id)).toMatchObject({ location: 'archived', snoozedUntil: null })
  })

  it('returns when it is resolved, closed or archived, and an undo snoozes it again', async () => {
    for (const end of [{ status: 'resolved' }, { status: 'closed' }, { archived: true }]) {
      const id = await add()
      await change(id, { snoozedUntil: later })
      // Other changes leave it snoozed.
      await change(id, { status: 'open', priority: 'high' })
      expect(await get(id)).toMatchObject({ location: 'snoozed', snoozedUntil: later })
      const ended = (await (await change(id, end)).json()) as FeedbackDetail
      expect(ended).toMatchObject({ location: 'archived' in end ? 'archived' : 'inbox', snoozedUntil: null })
      expect(ended.history.at(-1)).toMatchObject({ actorName: 'Ada Lovelace' })
      // Already done, it may be snoozed by intent.
      await change(id, { snoozedUntil: later })
      await change(id, { priority: 'low' })
      expect(await get(id)).toMatchObject({ snoozedUntil: later })
    }
    const ids = [await add(), await add()]
    for (const id of ids) await change(id, { snoozedUntil: later })
    const body = { id: crypto.randomUUID(), ids, change: { status: 'resolved' } }
    const done = (await (await server.call(`${path}/bulk`, { token, body })).json()) as BulkOperation
    expect(done).toMatchObject({ state: 'done', changed: 2 })
    expect(await get(ids[0] ?? '')).toMatchObject({ location: 'inbox', status: 'resolved', snoozedUntil: null })
    await server.call(`${path}/bulk/${done.id}/undo`, { method: 'POST', token })
    expect(await get(ids[0] ?? '')).toMatchObject({ location: 'snoozed', status: 'new', snoozedUntil: later })
    expect((await list('snoozed')).slice(0, 2)).toEqual(ids.toReversed())
    for (const id of ids) await change(id, { deleted: true })
  })

  it('is one of many that are snoozed and undone together', async () => {
    const ids = [await add(), await add()]
    const body = { id: crypto.randomUUID(), ids, change: { snoozedUntil: later } }
    const done = (await (await server.call(`${path}/bulk`, { token, body })).json()) as BulkOperation
    expect(done).toMatchObject({ state: 'done', changed: 2 })
    expect(await list('snoozed')).toEqual(ids.toReversed())
    await server.call(`${path}/bulk/${done.id}/undo`, { method: 'POST', token })
    expect(await list('snoozed')).toEqual([])
  })

  it('is refused a time that is over, and the field is named', async () => {
    const id = await add()
    const over = new Date(Date.now() - 1000).toISOString()
    const one = await change(id, { snoozedUntil: over })
    expect([one.status, await one.json()]).toMatchObject([400, { fields: [{ path: 'body.snoozedUntil' }] }])
    const body = { id: crypto.randomUUID(), ids: [id], change: { snoozedUntil: over } }
    const many = await server.call(`${path}/bulk`, { token, body })
    expect([many.status, await many.json()]).toMatchObject([400, { fields: [{ path: 'body.change.snoozedUntil' }] }])
  })
})
