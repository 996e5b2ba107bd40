import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BulkOperation } from '#contract/bulk.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { followEvents } from '#server/testing/event-stream.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let owner: BuiltUser
let token: string
let organizationId: string
let path: string
let projectId: string

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker', API_RATE_PER_MINUTE: '100000' })
})

afterAll(() => server.stop())

beforeEach(async () => {
  owner = await createUser(server.client, { fullName: 'Ada Lovelace' })
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId })).id
})

async function makeItems(count: number): Promise<string[]> {
  const items = []
  for (let index = 0; index < count; index += 1) {
    items.push(await createFeedback(server.client, { organizationId, projectId }))
  }
  return items.map(({ id }) => id)
}

/** Inserts many items at once, past the project's counter. */
async function fill(count: number): Promise<void> {
  await server.client.query(
    `insert into feedback (organization_id, project_id, id, number, type, source, message, page_url, content_hash)
     select $1, $2, gen_random_uuid(), n, 'bug', 'widget', 'Filled', 'https://example.com/', sha256('x')
     from generate_series(1, $3::integer) n`,
    [organizationId, projectId, count],
  )
}

async function start(body: Record<string, unknown>, bearer = token): Promise<Response> {
  return server.call(`${path}/bulk`, { token: bearer, body: { id: crypto.randomUUID(), ...body } })
}

async function run(body: Record<string, unknown>, bearer = token): Promise<BulkOperation> {
  const reply = await start(body, bearer)
  expect([200, 201]).toContain(reply.status)
  return (await reply.json()) as BulkOperation
}

async function undo(id: string): Promise<BulkOperation> {
  const reply = await server.call(`${path}/bulk/${id}/undo`, { method: 'POST', token })
  expect(reply.status).toBe(200)
  return (await reply.json()) as BulkOperation
}

async function finish(id: string): Promise<BulkOperation> {
  let operation: BulkOperation | undefined
  await expect
    .poll(
      async () => {
        operation = (await (await server.call(`${path}/bulk/${id}`, { token })).json()) as BulkOperation
        return operation.state
      },
      { timeout: 20_000, interval: 100 },
    )
    .not.toMatch(/running|undoing/)
  if (!operation) throw new Error('never read')
  return operation
}

async function get(id: string): Promise<FeedbackDetail> {
  return (await (await server.call(`${path}/${id}`, { token })).json()) as FeedbackDetail
}

/** The changeable fields of the items, by id. */
async function snapshot(): Promise<unknown> {
  const { rows } = await server.client.query(
    `select id, status, closed_reason, priority, assignee_user_id, tags, archived_at, spam_reason, deleted_at,
       first_viewed_at, resolved_at
     from feedback where organization_id = $1 order by id`,
    [organizationId],
  )
  return rows
}

describe('POST /api/v1/organizations/{organizationId}/feedback/bulk', () => {
  it('applies each change to each item, and undo restores all of it', async () => {
    const member = await createMember(server.client, { organizationId, role: 'member' })
    const ids = await makeItems(4)
    // They differ before, so that undo restores more than one value.
    await server.call(`${path}/${ids[0]}`, {
      method: 'PATCH',
      token,
      body: { status: 'resolved', tags: ['Alpha', 'beta'] },
    })
    await server.call(`${path}/${ids[1]}`, {
      method: 'PATCH',
      token,
      body: { status: 'closed', closedReason: 'wont_fix' },
    })
    await server.call(`${path}/${ids[2]}`, { method: 'PATCH', token, body: { assigneeId: owner.id, archived: true } })
    const before = await snapshot()
    const changes: { change: Record<string, unknown>; shows: Partial<FeedbackDetail> }[] = [
      { change: { status: 'open' }, shows: { status: 'open', closedReason: null, resolvedAt: null } },
      {
        change: { status: 'closed', closedReason: 'duplicate' },
        shows: { status: 'closed', closedReason: 'duplicate' },
      },
      { change: { priority: 'urgent' }, shows: { priority: 'urgent' } },
      { change: { assigneeId: member.id }, shows: { assigneeId: member.id } },
      { change: { assigneeId: null }, shows: { assigneeId: null } },
      { change: { addTags: ['checkout'] }, shows: { tags: expect.arrayContaining(['checkout']) as string[] } },
      { change: { removeTags: ['ALPHA'] }, shows: { tags: expect.not.arrayContaining(['Alpha']) as string[] } },
      { change: { archived: true }, shows: { location: 'archived' } },
      { change: { archived: false }, shows: { location: 'inbox' } },
      { change: { spam: true }, shows: { location: 'spam', spamReason: 'marked' } },
      { change: { deleted: true }, shows: { location: 'trash' } },
      { change: { viewed: true }, shows: { firstViewedAt: expect.any(String) as string } },
    ]
    for (const { change, shows } of changes) {
      const name = JSON.stringify(change)
      const done = await run({ ids, change })
      expect(done, name).toMatchObject({ state: 'done', total: 4, processed: 4, kept: 0, change })
      for (const id of ids) expect(await get(id), name).toMatchObject(shows)
      const undone = await undo(done.id)
      expect(undone, name).toMatchObject({ state: 'undone', total: 4, processed: 4, changed: done.changed, kept: 0 })
      expect(await snapshot(), name).toEqual(before)
    }
  })

  it('counts changed items, and adds no history to items that already match the change', async () => {
    const ids = await makeItems(3)
    await server.call(`${path}/${ids[0]}`, { method: 'PATCH', token, body: { status: 'open' } })
    expect(await run({ ids, change: { status: 'open' } })).toMatchObject({ total: 3, processed: 3, changed: 2 })
    expect((await get(ids[0] ?? '')).history).toHaveLength(1)
    expect((await get(ids[1] ?? '')).history).toMatchObject([
      { field: 'status', from: 'new', to: 'open', actorName: 'Ada Lovelace' },
    ])
  })

  it('changes all items that match a selection, search words included, and no others', async () => {
    const [first = '', second = ''] = await makeItems(2)
    const { id: zebra } = await createFeedback(server.client, { organizationId, projectId, message: 'A striped zebra' })
    await server.call(`${path}/${second}`, { method: 'PATCH', token, body: { archived: true } })
    expect(await run({ selection: { q: 'zeb' }, change: { priority: 'high' } })).toMatchObject({ total: 1, changed: 1 })
    expect(await get(zebra)).toMatchObject({ priority: 'high' })
    expect(await run({ selection: { priority: ['none'] }, change: { spam: true } })).toMatchObject({ changed: 1 })
    expect(await get(first)).toMatchObject({ location: 'spam' })
    expect(await get(second)).toMatchObject({ location: 'archived' })
    // Those of the given ids that match.
    const both = { ids: [first, zebra], selection: { priority: ['high'] }, change: { status: 'open' } }
    expect(await run(both)).toMatchObject({ total: 1, changed: 1 })
    expect(await run({ selection: { q: 'nothing at all' }, change: { spam: true } })).toMatchObject({
      state: 'done',
      total: 0,
    })
  })

  it('is safe to repeat, and refuses the id for something else', async () => {
    const ids = await makeItems(2)
    const body = { id: crypto.randomUUID(), ids, change: { status: 'open' } }
    const replies = await Promise.all([1, 2, 3].map(() => server.call(`${path}/bulk`, { token, body })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    for (const reply of replies) expect(await reply.json()).toMatchObject({ state: 'done', changed: 2 })
    expect((await get(ids[0] ?? '')).history).toHaveLength(1)
    expect((await start({ ...body, change: { status: 'closed' } })).status).toBe(422)
    expect((await start({ ...body, ids: ids.slice(1) })).status).toBe(422)
    const colleague = await server.signIn(await createMember(server.client, { organizationId, role: 'member' }))
    expect((await start(body, colleague)).status).toBe(422)
  })

  it('gives at most twenty tags, each once', async () => {
    const [full = '', free = ''] = await makeItems(2)
    const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
    await server.call(`${path}/${full}`, { method: 'PATCH', token, body: { tags } })
    await server.call(`${path}/${free}`, { method: 'PATCH', token, body: { tags: ['Login'] } })
    const done = await run({ ids: [full, free], change: { addTags: [' login ', 'Twenty-first', 'TWENTY-FIRST'] } })
    expect(done).toMatchObject({ processed: 2, changed: 1 })
    expect(await get(full)).toMatchObject({ tags })
    expect(await get(free)).toMatchObject({ tags: ['Login', 'Twenty-first'] })
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['nothing to change', { ids: [crypto.randomUUID()], change: {} }, 'body.change'],
    ['no items', { change: { status: 'open' } }, 'body.ids'],
    ['a reason without closing', { selection: {}, change: { closedReason: 'duplicate' } }, 'body.change.closedReason'],
    ['a blank tag', { selection: {}, change: { addTags: ['a', '  '] } }, 'body.change.addTags.1'],
    ['a filter that is none', { selection: { status: ['lost'] }, change: { spam: true } }, 'body.selection.status.0'],
    ['too many items', { ids: Array(1001).fill(crypto.randomUUID()), change: { spam: true } }, 'body.ids'],
  ])('refuses %s by its name', async (_, body, field) => {
    const reply = await start(body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ fields: [{ path: field }] })
  })

  it('refuses an assignee who is no member', async () => {
    const ids = await makeItems(1)
    const stranger = await createUser(server.client)
    const reply = await start({ ids, change: { assigneeId: stranger.id } })
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ code: 'member_not_found' })
    expect(await get(ids[0] ?? '')).toMatchObject({ assigneeId: null, version: 1 })
  })

  it('skips items of other organisations and removed items', async () => {
    const ids = await makeItems(2)
    const stranger = await createUser(server.client)
    const elsewhere = await createProject(server.client, { organizationId: stranger.organizationId ?? '' })
    const foreign = await createFeedback(server.client, {
      organizationId: stranger.organizationId ?? '',
      projectId: elsewhere.id,
    })
    await server.client.query('delete from feedback where id = $1', [ids[1]])
    const done = await run({ ids: [...ids, foreign.id], change: { status: 'closed' } })
    expect(done).toMatchObject({ total: 1, changed: 1 })
    const { rows } = await server.client.query('select status from feedback where id = $1', [foreign.id])
    expect(rows).toEqual([{ status: 'new' }])
    const strangersToken = await server.signIn(stranger)
    const asked = [`${path}/bulk/${done.id}`, `${path}/bulk/${crypto.randomUUID()}`]
    for (const address of asked) expect((await server.call(address, { token: strangersToken })).status).toBe(404)
    expect((await server.call(`${path}/bulk/${crypto.randomUUID()}`, { token })).status).toBe(404)
  })

  it('lets two members change the same items at once, repeatedly, without a deadlock', async () => {
    const ids = await makeItems(60)
    const colleague = await server.signIn(await createMember(server.client, { organizationId, role: 'member' }))
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => {
        const shuffled = turn % 2 === 0 ? ids : [...ids].reverse()
        const change = { status: turn % 2 === 0 ? 'open' : 'in_progress', addTags: [`turn ${turn}`] }
        return run({ ids: shuffled, change }, turn % 2 === 0 ? token : colleague)
      }),
    )
    for (const operation of replies) expect(operation).toMatchObject({ state: 'done', processed: 60, changed: 60 })
    const { rows } = await server.client.query(
      'select distinct cardinality(tags) as tags, version from feedback where organization_id = $1',
      [organizationId],
    )
    expect(rows).toEqual([{ tags: 8, version: 9 }])
  })
})

describe('a change of more items than one request processes', () => {
  it('continues after the response, makes followers reload their list, and is undone as a whole', async () => {
    await fill(1_600)
    const notices = await followEvents(server, organizationId, token)
    const begun = await run({ selection: {}, change: { archived: true } })
    expect(begun).toMatchObject({ state: 'running', total: 1_600, processed: 0 })
    expect(await finish(begun.id)).toMatchObject({ state: 'done', processed: 1_600, changed: 1_600 })
    expect(await notices.next()).toEqual({ kind: 'feedback.updated', ids: [] })
    notices.stop()
    expect(await undo(begun.id)).toMatchObject({ state: 'undoing', total: 1_600 })
    expect(await finish(begun.id)).toMatchObject({ state: 'undone', processed: 1_600, kept: 0 })
    const { rows } = await server.client.query(
      'select location, version, count(*)::integer from feedback where organization_id = $1 group by 1, 2',
      [organizationId],
    )
    expect(rows).toEqual([{ location: 'inbox', version: 3, count: 1_600 }])
  })

  it('continues after its worker crashed, and changes no item twice', async () => {
    await fill(1_200)
    // The state after a crash between two steps: some items are changed, and no worker runs.
    const { rows } = await server.client.query<{ id: string }>(
      `insert into feedback_operations (organization_id, id, actor_user_id, request_hash, change, item_ids, processed, changed)
       select $1, gen_random_uuid(), $2, sha256('x'), '{"status": "open"}',
         array(select id from feedback where organization_id = $1 order by id), 500, 500 returning id`,
      [organizationId, owner.id],
    )
    const id = rows[0]?.id ?? ''
    const job = JSON.stringify({ organizationId, operationId: id, actorUserId: owner.id })
    // Twice: the job of the crashed worker and the one it enqueued for its next turn.
    await server.client.query(`select app.enqueue_job('change_feedback', $1), app.enqueue_job('change_feedback', $1)`, [
      job,
    ])
    expect(await finish(id)).toMatchObject({ state: 'done', processed: 1_200, changed: 1_200 })
    const { rows: counts } = await server.client.query(
      `select (select count(*)::integer from feedback where organization_id = $1 and status = 'open') as open,
         (select count(*)::integer from feedback_events where organization_id = $1) as events`,
      [organizationId],
    )
    expect(counts).toEqual([{ open: 700, events: 700 }])
  })

  it('stops when its author is removed from the organisation', async () => {
    await fill(1_200)
    const member = await createMember(server.client, { organizationId, role: 'member' })
    const memberToken = await server.signIn(member)
    // A lock on the first items keeps the change at its beginning until its author leaves.
    await server.client.query('begin')
    await server.client.query('select from feedback where organization_id = $1 order by id limit 1 for update', [
      organizationId,
    ])
    const begun = await run({ selection: {}, change: { status: 'closed' } }, memberToken)
    await server.client.query('delete from memberships where user_id = $1', [member.id])
    await server.client.query('commit')
    const read = async () => {
      const { rows } = await server.client.query('select state from feedback_operations where id = $1', [begun.id])
      return rows[0]
    }
    await expect.poll(read, { timeout: 10_000 }).toEqual({ state: 'failed' })
    const reply = await server.call(`${path}/bulk/${begun.id}`, { token: memberToken })
    expect(reply.status).toBe(404)
  })

  it('can be stopped and undone while it runs', async () => {
    await fill(1_600)
    const begun = await run({ selection: {}, change: { status: 'closed' } })
    await undo(begun.id)
    const undone = await finish(begun.id)
    expect(undone).toMatchObject({ state: 'undone', kept: 0 })
    expect(undone.processed).toBe(undone.total)
    const { rows } = await server.client.query('select distinct status from feedback where organization_id = $1', [
      organizationId,
    ])
    expect(rows).toEqual([{ status: 'new' }])
  })
})

describe('POST …/bulk/{operationId}/undo', () => {
  it('skips items that a colleague changed since, and counts them', async () => {
    const ids = await makeItems(3)
    const done = await run({ ids, change: { status: 'closed', deleted: true } })
    await server.call(`${path}/${ids[0]}`, { method: 'PATCH', token, body: { priority: 'low' } })
    expect(await undo(done.id)).toMatchObject({ state: 'undone', changed: 3, kept: 1 })
    expect(await get(ids[0] ?? '')).toMatchObject({ status: 'closed', priority: 'low', location: 'trash' })
    expect(await get(ids[1] ?? '')).toMatchObject({ status: 'new', location: 'inbox' })
  })

  it('is safe to repeat', async () => {
    const ids = await makeItems(2)
    const done = await run({ ids, change: { status: 'open' } })
    const all = await Promise.all([undo(done.id), undo(done.id), undo(done.id)])
    for (const operation of all) expect(operation).toMatchObject({ state: 'undone', kept: 0 })
    expect(await get(ids[0] ?? '')).toMatchObject({ status: 'new', version: 3 })
    // Retrying the undone change does not apply it again.
    expect(await get(ids[1] ?? '')).toMatchObject({ status: 'new', version: 3 })
  })

  it('assigns no items to a member who has left', async () => {
    const member = await createMember(server.client, { organizationId, role: 'member' })
    const ids = await makeItems(1)
    await server.call(`${path}/${ids[0]}`, { method: 'PATCH', token, body: { assigneeId: member.id } })
    const done = await run({ ids, change: { assigneeId: owner.id } })
    await server.client.query('delete from memberships where user_id = $1', [member.id])
    expect(await undo(done.id)).toMatchObject({ state: 'undone', kept: 0 })
    const item = await get(ids[0] ?? '')
    expect(item.assigneeId).toBeNull()
    expect(item.history).toMatchObject([
      { field: 'assignee', from: null, to: 'a former member' },
      { field: 'assignee', from: 'a former member', to: 'Ada Lovelace' },
      { field: 'assignee', from: 'Ada Lovelace', to: null },
    ])
  })

  it('is allowed to the author of the change alone', async () => {
    const ids = await makeItems(1)
    const done = await run({ ids, change: { status: 'open' } })
    const colleague = await server.signIn(await createMember(server.client, { organizationId, role: 'owner' }))
    const reply = await server.call(`${path}/bulk/${done.id}/undo`, { method: 'POST', token: colleague })
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ code: 'operation_not_found' })
    expect(await get(ids[0] ?? '')).toMatchObject({ status: 'open' })
  })
})
