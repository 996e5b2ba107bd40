import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiKey, CreatedApiKey } from '#contract/api-keys.ts'
import type { Problem } from '#contract/errors.ts'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { createKey } from './key-format.ts'

/* Keys over HTTP, with two servers on one database. */
let database: TestDatabase
let server: TestServer
let other: TestServer
let token: string
let organizationId: string
let projectId: string
let siblingId: string
let home: string

beforeAll(async () => {
  database = await createTestDatabase()
  const env = { API_RATE_PER_MINUTE: '1000000', API_KEY_RATE_PER_MINUTE: '1000000' }
  ;[server, other] = await Promise.all([startTestServer(env, database), startTestServer(env, database)])
  const owner = await createUser(server.client, { fullName: 'Ada Example' })
  token = await server.signIn(owner)
  organizationId = owner.organizationId ?? ''
  projectId = (await createProject(server.client, { organizationId })).id
  siblingId = (await createProject(server.client, { organizationId })).id
  home = `/api/v1/organizations/${organizationId}/projects/${projectId}/api-keys`
})
afterAll(async () => {
  await other.stop()
  await server.stop()
  await database.drop()
})

async function create(body: Record<string, unknown> = {}, at = home): Promise<CreatedApiKey> {
  const reply = await server.call(at, { token, body: { name: 'Import', scopes: ['read', 'write'], ...body } })
  expect(reply.status).toBe(201)
  return (await reply.json()) as CreatedApiKey
}

async function list(): Promise<ApiKey[]> {
  return ((await (await server.call(home, { token })).json()) as { items: ApiKey[] }).items
}

async function tryKey(key: string, on = server): Promise<string> {
  const reply = await on.call('/api/v1/project', { token: key })
  return reply.status === 200 ? 'works' : `${reply.status} ${((await reply.json()) as Problem).code}`
}

describe('keys of a project', () => {
  it('are shown once and stored hashed', async () => {
    const { key, ...created } = await create({
      name: ' Nightly import ',
      scopes: ['write', 'read', 'read'].slice(0, 2),
    })
    expect(key).toMatch(/^es_[0-9A-Za-z]{36}$/)
    expect(created).toMatchObject({
      name: 'Nightly import',
      prefix: key.slice(0, 11),
      scopes: ['read', 'write'],
      state: 'active',
      createdByName: 'Ada Example',
      expiresAt: null,
      lastUsedAt: null,
    })
    expect((await list())[0]).toEqual(created)
    const { rows } = await server.client.query('select k::text as row from api_keys k')
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(server.logLines.join()).not.toContain(key)
  })

  it('name the field that is wrong', async () => {
    for (const [body, path] of [
      [{ name: '  ' }, 'body.name'],
      [{ scopes: [] }, 'body.scopes'],
      [{ scopes: ['admin'] }, 'body.scopes.0'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'body.expiresAt'],
    ] as const) {
      const reply = await server.call(home, { token, body: { name: 'Import', scopes: ['read'], ...body } })
      expect(reply.status).toBe(400)
      expect(((await reply.json()) as Problem).fields?.[0]?.path).toBe(path)
    }
    const { id } = await create()
    const reply = await server.call(`${home}/${id}/regenerate`, { token, body: { overlapHours: 25 } })
    expect(((await reply.json()) as Problem).fields?.[0]?.path).toBe('body.overlapHours')
  })

  it('are refused with a reason once they are revoked or have expired, on all servers within a second', async () => {
    const { key, id } = await create()
    expect([await tryKey(key), await tryKey(key, other)]).toEqual(['works', 'works'])
    expect((await server.call(`${home}/${id}`, { token, method: 'DELETE' })).status).toBe(204)
    await pause(200)
    expect([await tryKey(key), await tryKey(key, other)]).toEqual(['401 api_key_revoked', '401 api_key_revoked'])
    // Again, and under another project: nothing to find.
    expect((await server.call(`${home}/${id}`, { token, method: 'DELETE' })).status).toBe(204)
    const elsewhere = home.replace(projectId, siblingId)
    expect((await server.call(`${elsewhere}/${id}`, { token, method: 'DELETE' })).status).toBe(404)

    const expiring = await create({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
    expect(await tryKey(expiring.key)).toBe('works')
    await server.client.query('update api_keys set expires_at = now() where id = $1', [expiring.id])
    await expect.poll(() => tryKey(expiring.key, other)).toBe('401 api_key_expired')
    await expect.poll(() => tryKey(expiring.key)).toBe('401 api_key_expired')
  })

  it('reach nothing after they were revoked, even while a server still remembers them', async () => {
    const { key, id } = await create()
    expect(await tryKey(key)).toBe('works')
    // Without the trigger, no server hears of it.
    await server.client.query('alter table api_keys disable trigger on_api_key_changed')
    await server.client.query('update api_keys set revoked_at = now() where id = $1', [id])
    await server.client.query('alter table api_keys enable trigger on_api_key_changed')
    expect(await tryKey(key)).toBe('404 project_not_found')
    const list = await server.call('/api/v1/feedback', { token: key })
    expect(await list.json()).toEqual({ items: [], nextCursor: null })
    const made = await server.call('/api/v1/feedback', { token: key, body: { type: 'bug', message: 'Late' } })
    expect(made.status).toBe(404)
  })

  it('are told from text that was never a key', async () => {
    const whole = createKey()
    for (const text of [whole, whole.slice(0, -1), 'es_', 'x', token, server.publishableKey]) {
      expect(await tryKey(text)).toBe('401 api_key_invalid')
    }
    const bare = await fetch(`${server.url}/api/v1/project`)
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(((await bare.json()) as Problem).code).toBe('api_key_required')
    const { key } = await create()
    // A key is no session.
    expect((await server.call(home, { token: key })).status).toBe(401)
    expect((await server.call('/api/v1/organizations', { token: key })).status).not.toBe(200)
  })

  it('work beside their replacement for the overlap alone', async () => {
    const first = await create({ scopes: ['read'] })
    const regenerate = async (id: string, overlapHours: number) => {
      const reply = await server.call(`${home}/${id}/regenerate`, { token, body: { overlapHours } })
      return { status: reply.status, key: (await reply.json()) as CreatedApiKey }
    }
    const second = await regenerate(first.id, 24)
    expect(second.status).toBe(201)
    expect(second.key).toMatchObject({ name: first.name, scopes: ['read'], state: 'active' })
    expect([await tryKey(first.key), await tryKey(second.key.key)]).toEqual(['works', 'works'])
    const former = (await list()).find(({ id }) => id === first.id)
    expect(former).toMatchObject({ state: 'overlap', replacedBy: second.key.id })
    expect(Date.parse(former?.overlapUntil ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000)
    expect((await regenerate(first.id, 0)).status).toBe(409)
    await server.client.query('update api_keys set overlap_until = now() where id = $1', [first.id])
    await expect.poll(() => tryKey(first.key)).toBe('401 api_key_expired')

    const third = await regenerate(second.key.id, 0)
    await expect.poll(() => tryKey(second.key.key, other)).toBe('401 api_key_revoked')
    expect(await tryKey(third.key.key, other)).toBe('works')
  })

  it('are at most 50 per project, also when created in parallel', async () => {
    const crowded = (await createProject(server.client, { organizationId })).id
    await server.client.query(
      `insert into api_keys (organization_id, project_id, name, prefix, hash, scopes, created_by)
       select $1, $2, 'Old', 'es_AbCdEf12', sha256(convert_to('crowd' || n, 'UTF8')), '{read}', $1 from generate_series(1, 49) n`,
      [organizationId, crowded],
    )
    const at = home.replace(projectId, crowded)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => server.call(at, { token, body: { name: 'New', scopes: ['read'] } })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  it('note when they were last used, and from where', async () => {
    const { key, id } = await create()
    await tryKey(key)
    await expect.poll(async () => (await list()).find((each) => each.id === id)?.lastUsedIp).toBe('127.0.0.1')
  })

  it('end with their project', async () => {
    const doomed = (await createProject(server.client, { organizationId, name: 'Doomed' })).id
    const { key } = await create({}, home.replace(projectId, doomed))
    expect(await tryKey(key, other)).toBe('works')
    const path = `/api/v1/organizations/${organizationId}/projects/${doomed}`
    expect((await server.call(path, { token, method: 'DELETE', body: { name: 'Doomed' } })).status).toBe(204)
    await expect.poll(() => tryKey(key, other)).not.toBe('works')
  })
})

describe('calls with a key', () => {
  let key: string
  let reader: string
  let writer: string
  let itemId: string
  let siblingItemId: string
  beforeAll(async () => {
    key = (await create({ name: 'Sync' })).key
    reader = (await create({ scopes: ['read'] })).key
    writer = (await create({ scopes: ['write'] })).key
    itemId = (await createFeedback(server.client, { organizationId, projectId, message: 'canary of our own' })).id
    siblingItemId = (
      await createFeedback(server.client, { organizationId, projectId: siblingId, message: 'canary of a sibling' })
    ).id
  })

  const send = async (
    path: string,
    options: { key?: string; method?: string; body?: unknown; headers?: object } = {},
  ) => {
    const { method, body, headers } = options
    const reply = await fetch(`${server.url}/api/v1${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${options.key ?? key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, text, json: JSON.parse(text || 'null') }
  }
  const bare = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"[^"]*"/, '')]

  it('read the key’s project and its items, and none of another', async () => {
    expect((await send('/project')).json).toMatchObject({ id: projectId })
    expect((await send('/project')).json).not.toHaveProperty('retentionDays')
    const all = await send('/feedback?limit=100')
    expect(all.text).toContain('canary of our own')
    // By every way to a list: ranges of an index, facet tokens, words, numbers, near words.
    for (const query of ['', '&rating=1&rating=5', '&q=canary', '&q=canari', '&q=%231', '&sort=updated', '&tag=x']) {
      const { status, text } = await send(`/feedback?limit=100${query}`)
      expect(status).toBe(200)
      expect(text).not.toContain('sibling')
      expect(text).not.toContain(siblingItemId)
    }
    expect((await send('/feedback?q=canary')).text).toContain('canary of our own')
    expect((await send(`/feedback?projectId=${siblingId}`)).json).toMatchObject({
      fields: [{ path: 'query.projectId' }],
    })
  })

  it('answer another project’s item exactly as one that does not exist', async () => {
    const nowhere = '01a1fbfe-0000-7000-8000-000000000000'
    for (const [path, options] of [
      ['', {}],
      ['', { method: 'PATCH', body: { priority: 'high' } }],
      ['', { method: 'PATCH', body: { priority: 'high' }, headers: { 'if-match': '"99"' } }],
      ['/comments', { body: { kind: 'note', text: 'Hello' } }],
      ['/comments', { body: { kind: 'reply', text: 'Hello' } }],
    ] as const) {
      const foreign = await send(`/feedback/${siblingItemId}${path}`, options)
      const none = await send(`/feedback/${nowhere}${path}`, options)
      expect(bare(foreign)).toEqual(bare(none))
      expect(foreign.status).toBe(404)
    }
    const { rows } = await server.client.query('select version from feedback where id = $1', [siblingItemId])
    expect(rows).toEqual([{ version: 1 }])
  })

  it('need the scope', async () => {
    const body = { type: 'bug', message: 'Scope' }
    expect((await send('/feedback', { key: reader })).status).toBe(200)
    expect((await send('/feedback', { key: reader, body })).json).toMatchObject({ status: 403, code: 'scope_missing' })
    expect((await send('/feedback', { key: writer })).json).toMatchObject({ status: 403, code: 'scope_missing' })
    expect((await send('/feedback', { key: writer, body })).status).toBe(201)
    // Beneath the route: the database refuses a key without the scope as well.
    expect(
      (await send(`/feedback/${itemId}`, { key: reader, method: 'PATCH', body: { priority: 'low' } })).status,
    ).toBe(403)
  })

  it('create items that the team sees as the API’s', async () => {
    const { status, headers, json } = await send('/feedback', {
      body: {
        type: 'idea',
        message: 'Please add a dark mode.',
        rating: 4,
        visitor: { id: 'u_1', email: 'ada@example.com', name: 'Ada' },
        tags: ['theme'],
        metadata: { plan: 'Pro' },
      },
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/feedback/${json.id}`)
    const { json: item } = await send(`/feedback/${json.id}`)
    expect(item).toMatchObject({
      number: json.number,
      source: 'api',
      message: 'Please add a dark mode.',
      visitorId: 'u_1',
      visitorVerified: true,
      tags: ['theme'],
      metadata: { plan: 'Pro' },
    })
    await server.client.query('update projects set archived_at = now() where id = $1', [projectId])
    const refused = await send('/feedback', { body: { type: 'bug', message: 'Too late' } })
    await server.client.query('update projects set archived_at = null where id = $1', [projectId])
    expect(refused.json).toMatchObject({ status: 410, code: 'project_archived' })
  })

  it('change items at the version that they have read, and history and comments name the key', async () => {
    const read = await send(`/feedback/${itemId}`)
    const etag = read.headers.get('etag') ?? ''
    expect(etag).toBe(`"${read.json.version}"`)
    const change = (headers: object, body: object) => send(`/feedback/${itemId}`, { method: 'PATCH', body, headers })
    const changed = await change({ 'if-match': etag }, { status: 'open', tags: ['basket'] })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
    for (const tag of [etag, 'W/"1"', '"x"', '"1", "2"']) {
      expect((await change({ 'if-match': tag }, { status: 'closed' })).json).toMatchObject({
        status: 412,
        code: 'precondition_failed',
      })
    }
    expect((await change({ 'if-match': '*' }, { priority: 'high' })).status).toBe(200)
    // As a compressed answer states it.
    expect((await change({ 'if-match': `W/"${changed.json.version + 1}"` }, { priority: 'low' })).status).toBe(200)
    const note = await send(`/feedback/${itemId}/comments`, { body: { kind: 'note', text: 'Seen in the logs.' } })
    expect(note.json).toMatchObject({ kind: 'note', text: 'Seen in the logs.', authorName: 'API key “Sync”' })
    const path = `/api/v1/organizations/${organizationId}/feedback/${itemId}`
    const seen = (await (await server.call(path, { token })).json()) as {
      history: { field: string; actorName: string }[]
      comments: { authorName: string }[]
    }
    expect(seen.history.map(({ field, actorName }) => [field, actorName])).toContainEqual(['status', 'API key “Sync”'])
    expect(seen.comments.map(({ authorName }) => authorName)).toEqual(['API key “Sync”'])
  })

  it('are named in notifications', async () => {
    const { keyId, ownerId } = (
      await server.client.query<{ keyId: string; ownerId: string }>(
        `select k.id as "keyId", m.user_id as "ownerId" from api_keys k join memberships m using (organization_id)
         where k.name = 'Sync' and m.role = 'owner'`,
      )
    ).rows[0] ?? { keyId: '', ownerId: '' }
    // As the job does that hears of the event.
    await server.client.query(`select app.record_notifications($1, gen_random_uuid(), $2::jsonb)`, [
      organizationId,
      JSON.stringify([{ userId: ownerId, kind: 'assigned', feedbackId: itemId, actorUserId: keyId }]),
    ])
    const reply = await server.call(`/api/v1/organizations/${organizationId}/notifications`, { token })
    expect(((await reply.json()) as { items: unknown[] }).items[0]).toMatchObject({ actorName: 'API key “Sync”' })
  })

  it('reply to the visitor by email', async () => {
    const { json } = await send('/feedback', {
      body: { type: 'question', message: 'When?', visitor: { email: 'visitor@example.org' } },
    })
    const reply = await send(`/feedback/${json.id}/comments`, { body: { kind: 'reply', text: 'Tomorrow.' } })
    expect(reply.json).toMatchObject({ kind: 'reply', delivery: 'waiting' })
    expect((await server.mails()).at(-1)).toMatchObject({ to: 'visitor@example.org' })
  })

  it('give a repeated request its first answer, and run once', async () => {
    const body = { type: 'bug', message: 'Once' }
    const headers = { 'idempotency-key': 'import-1' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('/feedback', { body, headers })))
    const first = answers.find(({ status }) => status === 201)
    for (const { status, json } of answers) {
      if (status === 201) expect(json).toEqual(first?.json)
      else expect(json).toMatchObject({ status: 409, code: 'request_in_progress' })
    }
    const again = await send('/feedback', { body, headers })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.json).toEqual(first?.json)
    const { rows } = await server.client.query("select from feedback where message = 'Once'")
    expect(rows).toHaveLength(1)
    const differing = await send('/feedback', { body: { ...body, message: 'Twice' }, headers })
    expect(differing.json).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
    // By project: the same word in another project is another request.
    const sibling = await create({}, home.replace(projectId, siblingId))
    expect((await send('/feedback', { key: sibling.key, body, headers })).json).not.toEqual(first?.json)
  })

  it('run again after a refusal, and find what a run stored that died before it answered', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(255) }
    expect((await send('/feedback', { body: { type: 'bug', message: ' ' }, headers })).status).toBe(400)
    const body = { type: 'bug', message: 'Not blank' }
    const first = await send('/feedback', { body, headers })
    expect(first.status).toBe(201)
    // As if the process had died after its commit: a minute later another run takes over.
    await server.client.query(
      "update app.idempotent_requests set status = null, body = null, started_at = now() - interval '2 minutes' where request_hash <> '' and status is not null",
    )
    const second = await send('/feedback', { body, headers })
    expect([second.status, second.json]).toEqual([201, first.json])
    for (const wrong of ['x'.repeat(256), 'two words', '']) {
      const { json } = await send('/feedback', { body, headers: { 'idempotency-key': wrong } })
      expect(json).toMatchObject({ status: 400, fields: [{ path: 'headers.idempotency-key' }] })
    }
  })

  it('page by cursor through all items, each once', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { json } = await send(`/feedback?limit=3${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...json.items.map(({ id }: { id: string }) => id))
      cursor = json.nextCursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toContain(itemId)
    expect((await send('/feedback?cursor=x')).json).toMatchObject({ fields: [{ path: 'query.cursor' }] })
  })

  it('change many items alike, of the key’s project alone', async () => {
    const ids = [itemId, siblingItemId, '01a1fbfe-0000-7000-8000-000000000000']
    const { status, json } = await send('/feedback/bulk', {
      body: { ids, change: { priority: 'urgent', addTags: ['x'] } },
    })
    expect([status, json]).toEqual([200, { found: 1, changed: 1 }])
    expect((await send(`/feedback/${itemId}`)).json).toMatchObject({ priority: 'urgent' })
    const { rows } = await server.client.query('select version from feedback where id = $1', [siblingItemId])
    expect(rows).toEqual([{ version: 1 }])
    expect((await send('/feedback/bulk', { key: reader, body: { ids, change: { priority: 'low' } } })).status).toBe(403)
  })

  it('follow the events of the key’s project by cursor, each once', async () => {
    const start = (await send('/events')).json
    expect(start.items).toEqual([])
    // A transaction that is still running while a later one commits.
    const slow = new pg.Client({ connectionString: server.databaseUrl })
    await slow.connect()
    await slow.query('begin')
    await slow.query("select app.write_event($1, 'feedback.commented', array[$2::uuid])", [organizationId, itemId])
    await send(`/feedback/${itemId}`, { method: 'PATCH', body: { status: 'in_progress' } })
    await server.client.query("select app.write_event($1, 'feedback.updated', array[$2::uuid])", [
      organizationId,
      siblingItemId,
    ])
    const { json: made } = await send('/feedback', { body: { type: 'bug', message: 'News' } })
    let { items, nextCursor } = (await send(`/events?cursor=${start.nextCursor}`)).json
    expect(JSON.stringify(items)).not.toContain(made.id)
    await slow.query('commit')
    await slow.end()
    const seen = new Map<string, [string, string[]]>()
    // Transactions in other databases of the server hold up the horizon too, and put the start a moment earlier.
    await expect
      .poll(
        async () => {
          ;({ items, nextCursor } = (await send(`/events?limit=1&cursor=${nextCursor}`)).json)
          for (const event of items) {
            expect(seen.has(event.id)).toBe(false)
            seen.set(event.id, [event.name, event.feedbackIds])
          }
          return [...seen.values()].some(([, ids]) => ids.includes(made.id))
        },
        { timeout: 10_000 },
      )
      .toBe(true)
    expect([...seen.values()].slice(-3)).toEqual([
      ['feedback.commented', [itemId]],
      ['feedback.status_changed', [itemId]],
      ['feedback.created', [made.id]],
    ])
    const end = (await send(`/events?cursor=${nextCursor}`)).json
    expect(JSON.stringify(end.items)).not.toContain(siblingItemId)
    expect((await send('/events?cursor=x')).json).toMatchObject({ fields: [{ path: 'query.cursor' }] })
  })

  it('create items with files', async () => {
    const { widgetKey } = (await send('/project')).json
    const bytes = Buffer.from('GET /basket 500\n')
    const id = await sendFile(server, widgetKey, { kind: 'file', name: 'log.txt', bytes })
    const body = { type: 'bug', message: '', attachments: [{ id, kind: 'file', name: 'log.txt' }] }
    const { json } = await send('/feedback', { body })
    expect((await send(`/feedback/${json.id}`)).json.attachments).toMatchObject([{ id, kind: 'file', name: 'log.txt' }])
  })

  it('say what is left of their limit', async () => {
    const { headers } = await send('/project')
    expect(headers.get('ratelimit-policy')).toBe('"key";q=1000000;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/)
  })
})

describe('the limit of a key', () => {
  it('holds over two servers, and each answer says what is left', async () => {
    const { key } = await create()
    const env = { API_KEY_RATE_PER_MINUTE: '30' }
    const servers = await Promise.all([startTestServer(env, database), startTestServer(env, database)])
    const answers: Response[] = []
    for (let n = 0; n < 50; n += 1) {
      const at = servers[n % 2]
      if (at) answers.push(await at.call('/api/v1/project', { token: key }))
    }
    await Promise.all(servers.map((each) => each.stop()))
    const granted = answers.filter(({ status }) => status === 200).length
    expect(granted).toBeGreaterThanOrEqual(30)
    expect(granted).toBeLessThanOrEqual(33)
    const refused = answers.at(-1)
    expect(refused?.status).toBe(429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.headers.get('ratelimit-policy')).toBe('"key";q=30;w=60')
    expect(refused?.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/)
  })
})

describe('people and their roles', () => {
  it('lets owners alone manage keys', async () => {
    const admin = await server.signIn(await createMember(server.client, { organizationId, role: 'admin' }))
    expect((await server.call(home, { token: admin })).status).toBe(403)
    expect((await server.call(home, { token: admin, body: { name: 'No', scopes: ['read'] } })).status).toBe(403)
  })
})
