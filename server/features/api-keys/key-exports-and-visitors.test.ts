import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey, createFeedback, createProject } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, openFilesFixture } from '#server/testing/files-fixture.ts'
import { createKey } from './key-format.ts'

/* Exports and visitors as programs with an API key see them. */
let fixture: FilesFixture
let organizationId: string
let siblingId: string
let key: string
let reader: string
let siblingKey: string

async function makeKey(projectId: string, scopes?: string[]): Promise<string> {
  const text = createKey()
  await createApiKey(fixture.server.client, { organizationId, projectId, key: text, ...(scopes && { scopes }) })
  return text
}

beforeAll(async () => {
  fixture = await openFilesFixture({ API_RATE_PER_MINUTE: '100000', API_KEY_RATE_PER_MINUTE: '100000' })
  const { client } = fixture.server
  organizationId = fixture.project.organizationId
  siblingId = (await createProject(client, { organizationId, name: 'Sibling' })).id
  key = await makeKey(fixture.project.id)
  reader = await makeKey(fixture.project.id, ['read'])
  siblingKey = await makeKey(siblingId)
  await createFeedback(client, { organizationId, projectId: fixture.project.id, message: 'own canary', type: 'idea' })
  await createFeedback(client, { organizationId, projectId: fixture.project.id, message: 'own bug', type: 'bug' })
  await createFeedback(client, { organizationId, projectId: siblingId, message: 'sibling canary', type: 'idea' })
})
afterAll(() => fixture.stop())

async function call(
  path: string,
  options: { as?: string; method?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const { as = key, body, headers, method = body === undefined ? 'GET' : 'POST' } = options
  const reply = await fetch(`${fixture.server.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, text }
}
const read = async (path: string, options?: Parameters<typeof call>[1]) => JSON.parse((await call(path, options)).text)
const bare = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"[^"]*"/, '')]
const nowhere = '01a1fbfe-0000-7000-8000-000000000000'
const listOfMembers = async () =>
  (
    (await (
      await fixture.server.call(`/api/v1/organizations/${organizationId}/exports`, { token: fixture.token })
    ).json()) as { items: Record<string, unknown>[] }
  ).items

describe('exports', () => {
  it('are written with the items of the key’s project, and fetched with the right type', async () => {
    const asked = await call('/exports', { as: reader, body: { format: 'csv', selection: { type: ['idea'] } } })
    expect(asked.status, asked.text).toBe(201)
    const made = JSON.parse(asked.text)
    expect(asked.headers.get('location')).toBe(`/api/v1/exports/${made.id}`)
    expect(made).toMatchObject({ format: 'csv', selection: { type: ['idea'] }, state: 'queued' })
    expect(made).not.toHaveProperty('downloadUrl')
    await eventually(async () => (await read(`/exports/${made.id}`)).state).toBe('ready')
    expect(await read(`/exports/${made.id}`)).toMatchObject({ count: 1, processed: 1, note: null })
    const file = await call(`/exports/${made.id}/file`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="feedback-[\d-]+\.csv"$/)
    expect(file.text).toContain('own canary')
    expect(file.text).not.toMatch(/own bug|sibling/)
    // Members see whose it is, and the audit log names the key.
    expect((await listOfMembers()).find(({ id }) => id === made.id)).toMatchObject({
      createdByName: 'API key “Import”',
    })
    await eventually(async () => {
      const { rows } = await fixture.server.client.query<{ action: string; kind: string; name: string }>(
        `select action, actor_kind as kind, actor_name as name from audit_log where target_id = $1 order by action`,
        [made.id],
      )
      return rows.map(({ action, kind, name }) => `${action} ${kind} ${name}`)
    }).toEqual(['export.completed api_key Import', 'export.requested api_key Import'])

    // Of another project: as if it did not exist.
    for (const end of ['', '/file']) {
      const foreign = await call(`/exports/${made.id}${end}`, { as: siblingKey })
      expect(bare(foreign)).toEqual(bare(await call(`/exports/${nowhere}${end}`, { as: siblingKey })))
      expect(foreign.status).toBe(404)
    }
    expect((await call('/exports', { body: { format: 'csv', selection: { projectId: [siblingId] } } })).status).toBe(
      400,
    )
  })

  it('contain whole items in every format', async () => {
    for (const format of ['json', 'zip', 'xlsx']) {
      const { id } = await read('/exports', { body: { format } })
      await eventually(async () => (await read(`/exports/${id}`)).state).toBe('ready')
      expect(await read(`/exports/${id}`)).toMatchObject({ count: 2 })
      const file = await call(`/exports/${id}/file`)
      expect([file.status, Number(file.headers.get('content-length')) > 100]).toEqual([200, true])
      expect(file.text).not.toContain('sibling')
    }
  })

  it('of members are out of a key’s reach, and have no file before they are ready', async () => {
    const members = crypto.randomUUID()
    await fixture.server.client.query(
      `insert into exports (organization_id, id, created_by, format, selection, state, count)
       values ($1, $2, $2, 'csv', jsonb_build_object('projectId', jsonb_build_array($3::text)), 'failed', 1)`,
      [organizationId, members, fixture.project.id],
    )
    expect((await call(`/exports/${members}`)).status).toBe(404)
    const { id } = await read('/exports', { body: { format: 'csv' } })
    await eventually(async () => (await read(`/exports/${id}`)).state).toBe('ready')
    await fixture.server.client.query(`update exports set state = 'running' where id = $1`, [id])
    expect(JSON.parse((await call(`/exports/${id}/file`)).text).code).toBe('file_not_found')
    await fixture.server.client.query('delete from exports where id = $1', [id])
  })

  it('repeat a named request once, also for another key of the project, and share the organisation’s limit', async () => {
    const request = { body: { format: 'json' }, headers: { 'idempotency-key': 'nightly' } }
    const first = await read('/exports', { as: reader, ...request })
    const again = await call('/exports', { as: key, ...request })
    expect([JSON.parse(again.text).id, again.headers.get('idempotent-replayed')]).toEqual([first.id, 'true'])
    await eventually(async () => (await read(`/exports/${first.id}`)).state).toBe('ready')
    await fixture.server.client.query(
      `insert into exports (organization_id, id, created_by, format, selection)
       select $1, gen_random_uuid(), $1, 'csv', '{}' from generate_series(1, 3)`,
      [organizationId],
    )
    expect(await read('/exports', { body: { format: 'csv' } })).toMatchObject({ status: 429, code: 'too_many_exports' })
    await fixture.server.client.query(`delete from exports where state = 'queued'`)
  })

  it('of a key that is revoked before they are written fail without a file', async () => {
    const { client } = fixture.server
    const revoked = await createApiKey(client, { organizationId, projectId: fixture.project.id })
    const id = crypto.randomUUID()
    await client.query(
      `insert into exports (organization_id, id, created_by, is_by_key, format, selection)
       values ($1, $2, $3, true, 'csv', jsonb_build_object('projectId', jsonb_build_array($4::text)))`,
      [organizationId, id, revoked, fixture.project.id],
    )
    await client.query('update api_keys set revoked_at = now() where id = $1', [revoked])
    await client.query(
      `select app.enqueue_in_turn('write_export', json_build_object('organizationId', $1::uuid, 'id', $2::uuid), 'x')`,
      [organizationId, id],
    )
    await eventually(async () => (await listOfMembers()).find((each) => each.id === id)).toMatchObject({
      state: 'failed',
      note: 'The API key that requested it was revoked or has expired.',
      bytes: null,
    })
  })
})

describe('visitors', () => {
  const own = () => fixture.project.id
  const nameItem = async (
    projectId: string,
    visitor: { id?: string; email?: string; name?: string; rating?: number; at?: string },
  ) => {
    const { client } = fixture.server
    const createdAt = new Date(visitor.at ?? '2026-01-01T00:00:00Z')
    const { id } = await createFeedback(client, { organizationId, projectId, message: 'Named', createdAt })
    await client.query(
      'update feedback set visitor_id = $2, visitor_email = $3, visitor_name = $4, rating = $5 where id = $1',
      [id, visitor.id ?? null, visitor.email ?? null, visitor.name ?? null, visitor.rating ?? null],
    )
    return id
  }
  let items: string[]
  beforeAll(async () => {
    items = [
      await nameItem(own(), {
        id: 'u/1 ?',
        email: 'Ada@Example.com',
        name: 'Ada',
        rating: 4,
        at: '2026-01-03T00:00:00Z',
      }),
      await nameItem(own(), { id: 'u/1 ?', at: '2026-01-02T00:00:00Z' }),
    ]
    await nameItem(own(), { email: 'Bob@Example.com', at: '2026-01-04T00:00:00Z' })
    await nameItem(own(), { id: 'Cap@Example.com', at: '2026-01-05T00:00:00Z' })
    // The same people elsewhere, later, under other names; and people whom this project does not know.
    await nameItem(siblingId, {
      id: 'u/1 ?',
      name: 'Sibling name',
      email: 'sibling@example.com',
      rating: 1,
      at: '2026-02-01T00:00:00Z',
    })
    await nameItem(siblingId, { email: 'bob@example.com', name: 'Sibling Bob', at: '2026-02-02T00:00:00Z' })
    await nameItem(siblingId, { id: 'stranger', name: 'Ada Stranger', at: '2026-02-03T00:00:00Z' })
    // An address that the visitor claims in the sibling project alone.
    await nameItem(own(), { email: 'sibling@example.com', at: '2026-01-01T00:00:00Z' })
    await fixture.server.client.query(
      `insert into visitor_joins (organization_id, part_key, into_key, root_key, cause)
       values ($1, 'u/1 ?', 'stranger', 'stranger', 'member')`,
      [organizationId],
    )
  })

  it('are listed as the project’s items tell, in pages and by search', async () => {
    const { items: all, nextCursor } = await read('/visitors', { as: reader })
    expect(nextCursor).toBeNull()
    expect(all.map((each: { key: string }) => each.key)).toEqual([
      'Cap@Example.com',
      'bob@example.com',
      'u/1 ?',
      'sibling@example.com',
    ])
    expect(all[2]).toEqual({
      key: 'u/1 ?',
      visitorId: 'u/1 ?',
      email: 'Ada@Example.com',
      name: 'Ada',
      isVerified: false,
      firstSeenAt: '2026-01-02T00:00:00.000Z',
      lastSeenAt: '2026-01-03T00:00:00.000Z',
      items: 2,
      openItems: 2,
      unansweredItems: 1,
      lastRating: 4,
    })
    expect(JSON.stringify(all)).not.toMatch(/Sibling name|Sibling Bob|stranger/)
    const paged: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read(`/visitors?limit=1${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.items)
      cursor = page.nextCursor
    }
    expect(paged).toEqual(all)
    expect((await read('/visitors?q=ADA')).items).toEqual([all[2]])
    expect((await read('/visitors?q=stranger')).items).toEqual([])
    expect((await read('/visitors?q=%25%25%25')).items).toEqual([])
    expect((await read('/visitors?cursor=x')).fields).toMatchObject([{ path: 'query.cursor' }])
  })

  it('are read with the project’s items alone, by any of the ways to name them', async () => {
    const whole = await read(`/visitors/${encodeURIComponent('u/1 ?')}`)
    expect(whole.visitor).toMatchObject({
      key: 'u/1 ?',
      names: ['Ada'],
      emails: ['ada@example.com'],
      firstSeenAt: '2026-01-02T00:00:00.000Z',
      total: 2,
    })
    expect(whole.visitor).not.toHaveProperty('projects')
    expect(whole.items.map(({ id }: { id: string }) => id)).toEqual(items)
    const first = await read(`/visitors/${encodeURIComponent('u/1 ?')}?limit=1`)
    expect(first.items).toHaveLength(1)
    const second = await read(`/visitors/${encodeURIComponent('u/1 ?')}?limit=1&cursor=${first.nextCursor}`)
    expect([second.items[0].id, second.nextCursor]).toEqual([items[1], null])
    for (const key of ['BOB@example.com', 'Cap@Example.com']) {
      expect((await read(`/visitors/${key}`)).visitor).toMatchObject({ total: 1 })
    }
  })

  it('of another project answer as if they did not exist', async () => {
    const foreign = await call('/visitors/stranger')
    expect(foreign.status).toBe(404)
    expect(bare(foreign)).toEqual(bare(await call('/visitors/no-one')))
    expect((await read('/visitors', { as: siblingKey })).items).toHaveLength(3)
  })

  it('are erased from the key’s project alone', async () => {
    const { client } = fixture.server
    const erin = { id: 'erin', email: 'erin@example.com', name: 'Erin' }
    const gone = [
      await nameItem(own(), erin),
      await nameItem(own(), { id: 'erin' }),
      await nameItem(siblingId, { id: 'part' }),
    ]
    const foreign = gone.pop()
    const kept = [foreign, await nameItem(siblingId, erin), await nameItem(own(), { email: erin.email })]
    const others = await client.query<{ id: string }>('select id from feedback where id <> all ($1)', [gone])
    // Merged by a member, because of items of the other project.
    await client.query(
      `insert into visitors (organization_id, key, first_seen_at, last_seen_at)
       select $1, key, now(), now() from unnest(array['erin', 'part']) as key on conflict do nothing`,
      [organizationId],
    )
    await client.query(
      `insert into visitor_joins (organization_id, part_key, into_key, root_key, cause)
       values ($1, 'part', 'erin', 'erin', 'member')`,
      [organizationId],
    )
    const members = (path: string, body: unknown) =>
      fixture.server.call(`/api/v1/organizations/${organizationId}/${path}`, { token: fixture.token, body })
    await members('views', { id: crypto.randomUUID(), name: 'Of Erin', search: 'visitor=erin', isShared: true })
    const wholeExport = { id: crypto.randomUUID(), format: 'csv', selection: {} }
    const ownExport = { id: crypto.randomUUID(), format: 'csv', selection: { projectId: [own()] } }
    for (const each of [wholeExport, ownExport]) expect((await members('exports', each)).status).toBe(201)
    const { id: keyExport } = await read('/exports', { body: { format: 'json' } })
    const listReady = async () =>
      (await listOfMembers()).filter(({ state }) => state === 'ready').map(({ id }) => id as string)
    await eventually(listReady).toEqual(expect.arrayContaining([wholeExport.id, ownExport.id, keyExport]))

    const erase = (visitor: string, as?: string) =>
      call(`/visitors/${encodeURIComponent(visitor)}`, { method: 'DELETE', ...(as && { as }) })
    expect((await erase('erin', reader)).status).toBe(403)
    const begun = await erase('erin')
    expect([begun.status, JSON.parse(begun.text)], begun.text).toMatchObject([202, { state: 'running', items: 0 }])
    expect(begun.text).not.toContain('erin')
    await eventually(async () => (await erase('erin')).status).toBe(204)
    const left = await client.query<{ id: string }>('select id from feedback')
    expect(left.rows.map(({ id }) => id).sort()).toEqual(others.rows.map(({ id }) => id).sort())
    for (const id of kept) expect(left.rows).toContainEqual({ id })
    expect((await call('/visitors/erin')).status).toBe(404)
    expect((await read('/visitors/erin', { as: siblingKey })).visitor).toMatchObject({ total: 1 })

    // What other projects share stays; files of this project's items alone go.
    await eventually(listReady).not.toEqual(expect.arrayContaining([ownExport.id]))
    expect(await listReady()).toContain(wholeExport.id)
    expect((await call(`/exports/${keyExport}`)).status).toBe(404)
    const { rows: rest } = await client.query(
      `select (select count(*)::int from saved_views where name = 'Of Erin') as views,
         (select count(*)::int from visitor_joins where root_key = 'erin') as joins,
         (select count(*)::int from visitors where key = 'erin') as visitors`,
    )
    expect(rest).toEqual([{ views: 1, joins: 1, visitors: 1 }])

    // The log names the key and the numbers, never the visitor.
    const erasureId = JSON.parse(begun.text).id
    await eventually(async () => {
      const { rows } = await client.query<{ action: string; kind: string; name: string; after: object }>(
        'select action, actor_kind as kind, actor_name as name, after from audit_log where target_id = $1 order by action',
        [erasureId],
      )
      return rows
    }).toMatchObject([
      { action: 'visitor.erased', kind: 'api_key', name: 'Import', after: { items: 2 } },
      { action: 'visitor.erasure_requested', kind: 'api_key', name: 'Import' },
    ])

    // Of another project and of no one: the same answer, and nothing happens.
    expect(bare(await erase('stranger'))).toEqual(bare(await erase('no-one')))
    expect((await read('/visitors/stranger', { as: siblingKey })).visitor).toMatchObject({ key: 'stranger' })
    const { rows: erasures } = await client.query('select from visitor_erasures')
    expect(erasures).toHaveLength(1)
  })
})
