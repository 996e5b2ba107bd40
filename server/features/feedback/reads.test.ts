import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BulkOperation } from '#contract/bulk.ts'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { followEvents } from '#server/testing/event-stream.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let owner: BuiltUser
let colleague: BuiltUser
let ownerToken: string
let colleagueToken: string
let organizationId: string
let projectId: string
let path: string

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web' })
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  colleague = await createMember(server.client, { organizationId, role: 'member' })
  ownerToken = await server.signIn(owner)
  colleagueToken = await server.signIn(colleague)
  projectId = (await createProject(server.client, { organizationId })).id
})

afterAll(() => server.stop())

const add = async () => (await createFeedback(server.client, { organizationId, projectId })).id

async function mark(id: string, viewed: boolean, token = ownerToken): Promise<FeedbackDetail> {
  const reply = await server.call(`${path}/${id}`, { method: 'PATCH', token, body: { viewed } })
  expect(reply.status).toBe(200)
  return (await reply.json()) as FeedbackDetail
}

/** The unread items of a member: the list's, and the counts of both routes. */
async function listUnread(token: string, query = ''): Promise<string[]> {
  const read = async <T>(route: string) => (await (await server.call(`${path}${route}`, { token })).json()) as T
  const { items } = await read<{ items: FeedbackListItem[] }>(`?unread=true&limit=100${query}`)
  expect(items.every(({ unread }) => unread)).toBe(true)
  expect(await read('/counts')).toMatchObject({ unread: items.length })
  expect(await read(`/matches?unread=true${query}`)).toEqual({ count: items.length })
  return items.map(({ id }) => id)
}

async function writeAsVisitor(id: string): Promise<void> {
  await server.client.query(
    `insert into public.feedback_comments (organization_id, id, feedback_id, kind, text, from_visitor)
     values ($1, gen_random_uuid(), $2, 'reply', 'Still broken', true)`,
    [organizationId, id],
  )
}

describe('the read state of an item', () => {
  it('is each member’s own, and begins when they join', async () => {
    const [first, second] = [await add(), await add()]
    expect(await mark(first, true)).toMatchObject({ unread: false, firstViewedAt: expect.any(String) as string })
    expect(await listUnread(ownerToken)).toEqual([second])
    expect(await listUnread(colleagueToken)).toEqual([second, first])
    const late = await server.signIn(await createMember(server.client, { organizationId, role: 'member' }))
    expect(await listUnread(late)).toEqual([])
    const third = await add()
    expect(await listUnread(late)).toEqual([third])
    for (const id of [second, third]) await mark(id, true)
    expect(await listUnread(ownerToken)).toEqual([])
  })

  it('becomes unread when the visitor writes, or when the member marks it as unread', async () => {
    const id = await add()
    await mark(id, true)
    await mark(id, true, colleagueToken)
    await writeAsVisitor(id)
    expect(await listUnread(ownerToken)).toEqual([id])
    expect(await listUnread(colleagueToken)).toContain(id)
    await mark(id, true)
    expect(await listUnread(ownerToken)).toEqual([])
    expect(await mark(id, false)).toMatchObject({ unread: true })
    expect(await listUnread(ownerToken)).toEqual([id])
    await mark(id, true)
    expect(await listUnread(ownerToken)).toEqual([])
  })

  it('is changed and undone for many items, except those opened since', async () => {
    const ids = [await add(), await add(), await add()]
    const [first = '', second = '', third = ''] = ids
    await mark(first, true)
    const run = async (viewed: boolean) => {
      const body = { id: crypto.randomUUID(), ids, change: { viewed } }
      return (await (await server.call(`${path}/bulk`, { token: ownerToken, body })).json()) as BulkOperation
    }
    const undo = ({ id }: BulkOperation) =>
      server.call(`${path}/bulk/${id}/undo`, { method: 'POST', token: ownerToken })
    const read = await run(true)
    expect(read).toMatchObject({ state: 'done', changed: 2 })
    expect(await listUnread(ownerToken)).toEqual([])
    await undo(read)
    expect(await listUnread(ownerToken)).toEqual([third, second])
    const unread = await run(false)
    expect(unread).toMatchObject({ state: 'done', changed: 1 })
    expect(await listUnread(ownerToken)).toEqual([third, second, first])
    await undo(unread)
    expect(await listUnread(ownerToken)).toEqual([third, second])
    const again = await run(true)
    await mark(third, false)
    await mark(third, true)
    await undo(again)
    expect(await listUnread(ownerToken)).toEqual([second])
    await mark(second, true)
  })

  it('comes with each row of a change notice, for the reader of the notice', async () => {
    const id = await add()
    const own = await followEvents(server, organizationId, ownerToken)
    const other = await followEvents(server, organizationId, colleagueToken)
    await mark(id, true)
    expect(await own.nextWithItems()).toMatchObject({ items: [{ id, unread: false }] })
    expect(await other.nextWithItems()).toMatchObject({ items: [{ id, unread: true }] })
    // Nothing of the item changes: the member's other tabs learn it all the same.
    await mark(id, false)
    expect(await own.nextWithItems()).toMatchObject({ items: [{ id, unread: true }] })
    await mark(id, true)
    own.stop()
    other.stop()
  })

  it('stays the same when its rows are compacted', async () => {
    const read = []
    for (let count = 0; count < 8; count += 1) read.push(await add())
    const [answered = '', opened = '', left = '', marked = ''] = read
    for (const id of read) if (id !== left) await mark(id, true)
    await writeAsVisitor(answered)
    await mark(marked, false)
    // As if all of it had happened yesterday.
    await server.client.query(
      `update public.feedback set created_at = created_at - interval '1 day',
         visitor_wrote_at = visitor_wrote_at - interval '1 day' where organization_id = $1`,
      [organizationId],
    )
    await server.client.query(
      `update public.feedback_reads set seen_at = seen_at - interval '1 day' where organization_id = $1`,
      [organizationId],
    )
    await server.client.query(
      `update public.memberships set feedback_read_until = feedback_read_until - interval '1 day' where user_id = $1`,
      [owner.id],
    )
    const before = await listUnread(ownerToken)
    expect(before.toSorted()).toEqual([answered, left, marked].toSorted())
    await server.client.query('select app.compact_feedback_reads(2, 100)')
    expect(await listUnread(ownerToken)).toEqual(before)
    const { rows } = await server.client.query<{ feedback_id: string }>(
      `select feedback_id from public.feedback_reads where user_id = $1 and operation_id is null`,
      [owner.id],
    )
    expect(rows.map((row) => row.feedback_id).toSorted()).toEqual(before.toSorted())
    // A colleague with more unread items than are kept: the newest stay unread.
    await server.client.query(`update public.memberships set feedback_read_until = '-infinity' where user_id = $1`, [
      colleague.id,
    ])
    await server.client.query('select app.compact_feedback_reads(0, 1)')
    expect(await listUnread(colleagueToken)).toEqual([read.at(-1)])
    await writeAsVisitor(opened)
    expect(await listUnread(ownerToken)).toHaveLength(4)
    expect(await listUnread(colleagueToken)).toHaveLength(2)
  })
})
