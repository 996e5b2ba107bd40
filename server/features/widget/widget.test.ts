import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let organizationId: string

beforeAll(async () => {
  server = await startTestServer({ INGEST_RATE_PER_MINUTE: '100000' })
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
})

afterAll(() => server.stop())

function makeSubmission(overrides: Record<string, unknown> = {}) {
  return {
    id: crypto.randomUUID(),
    type: 'bug',
    message: 'The button does nothing.',
    page: { url: 'https://shop.example/cart', title: 'Cart' },
    ...overrides,
  }
}

function submit(key: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/e/${key}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

describe('POST /e/{widgetKey}/submissions', () => {
  it('stores what was sent and answers with its number', async () => {
    const project = await createProject(server.client, { organizationId, domain: 'stores.example' })
    const body = makeSubmission({
      type: 'idea',
      rating: 4,
      email: 'visitor@example.org',
      name: ' Grace ',
      context: { viewport: [1280, 720] },
      metadata: { plan: 'pro' },
    })
    const reply = await submit(project.widgetKey, body, { origin: 'https://stores.example' })
    expect(reply.status).toBe(201)
    expect(await reply.json()).toEqual({ id: body.id, number: 1 })
    const { rows } = await server.client.query('select * from feedback where id = $1', [body.id])
    expect(rows[0]).toMatchObject({
      organization_id: organizationId,
      project_id: project.id,
      type: 'idea',
      source: 'widget',
      status: 'new',
      priority: 'none',
      message: 'The button does nothing.',
      rating: 4,
      visitor_email: 'visitor@example.org',
      visitor_name: 'Grace',
      page_url: 'https://shop.example/cart',
      page_title: 'Cart',
      context: { viewport: [1280, 720] },
      metadata: { plan: 'pro' },
    })
  })

  it('answers a repeat with the same receipt and stores it once', async () => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission({ metadata: { a: 1, b: 2 } })
    const first = await submit(project.widgetKey, body)
    // The same content with its keys in another order.
    const { id, ...rest } = body
    const second = await submit(project.widgetKey, { ...rest, metadata: { b: 2, a: 1 }, id })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await second.json()).toEqual(await first.json())
    const { rows } = await server.client.query('select count(*)::int as n from feedback where id = $1', [id])
    expect(rows).toEqual([{ n: 1 }])
  })

  it('takes in one of many copies that arrive at once', async () => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission()
    const replies = await Promise.all(Array.from({ length: 30 }, () => submit(project.widgetKey, body)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(29).fill(200), 201])
    expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1)
  })

  it('refuses other content under the same id, in this project and in a sibling', async () => {
    const [one, two] = [
      await createProject(server.client, { organizationId }),
      await createProject(server.client, { organizationId }),
    ]
    const body = makeSubmission()
    expect((await submit(one.widgetKey, body)).status).toBe(201)
    for (const reply of [
      await submit(one.widgetKey, { ...body, message: 'Something else.' }),
      await submit(two.widgetKey, body),
    ]) {
      expect(reply.status).toBe(422)
      expect(await reply.json()).toMatchObject({ code: 'id_reused' })
    }
    const counters = await server.client.query(
      'select feedback_count::int as n from project_counters where project_id = $1',
      [two.id],
    )
    expect(counters.rows).toEqual([{ n: 0 }])
  })

  it('lets another organisation use the same id', async () => {
    const stranger = await createUser(server.client)
    const own = await createProject(server.client, { organizationId })
    const theirs = await createProject(server.client, { organizationId: stranger.organizationId ?? '' })
    const body = makeSubmission()
    expect((await submit(own.widgetKey, body)).status).toBe(201)
    expect((await submit(theirs.widgetKey, { ...body, message: 'Another.' })).status).toBe(201)
  })

  it('numbers without a gap or a repeat under load over several projects', async () => {
    const projects = await Promise.all([1, 2, 3].map(() => createProject(server.client, { organizationId })))
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        submit(projects[index % 3]?.widgetKey ?? '', makeSubmission({ message: `Item ${index}` })),
      ),
    )
    expect(replies.every((reply) => reply.status === 201)).toBe(true)
    for (const project of projects) {
      const { rows } = await server.client.query(
        `select count(*)::int as n, count(distinct number)::int as numbers, max(number)::int as top, c.feedback_count::int as counted
         from feedback f join project_counters c using (organization_id, project_id)
         where project_id = $1 group by c.feedback_count`,
        [project.id],
      )
      expect(rows).toEqual([{ n: 100, numbers: 100, top: 100, counted: 100 }])
    }
  })

  it('keeps text that could not be stored as it came', async () => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission()
    const raw = JSON.stringify({ ...body, message: 'MESSAGE', context: { key: 'MESSAGE' } }).replaceAll(
      'MESSAGE',
      'a\\u0000b \\ud800 <b>x</b> \\u202e',
    )
    expect((await submit(project.widgetKey, raw)).status).toBe(201)
    const { rows } = await server.client.query('select message, context from feedback where id = $1', [body.id])
    expect(rows[0]).toEqual({ message: 'a b \ufffd <b>x</b> \u202e', context: { key: 'a b \ufffd <b>x</b> \u202e' } })
  })

  it.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['https://own.example', 201],
    ['https://deep.sub.own.example', 201],
    ['http://localhost:5173', 201],
  ])('from %s answers %i', async (origin, status) => {
    const project =
      (
        await server.client.query<{ key: string }>(
          `select key from widgets w join projects p on p.id = w.project_id where p.domain = 'own.example'`,
        )
      ).rows[0]?.key ?? (await createProject(server.client, { organizationId, domain: 'own.example' })).widgetKey
    const body = makeSubmission()
    const reply = await submit(project, body, { origin })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    const { rows } = await server.client.query('select source from feedback where id = $1', [body.id])
    expect(rows).toEqual(status === 403 ? [] : [{ source: origin.includes('localhost') ? 'test' : 'widget' }])
  })

  it('answers an unknown key with 404 and a huge body with 413', async () => {
    const unknown = await submit('wk_AAAAAAAAAAAAAAAAAAAAAA', makeSubmission())
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ code: 'widget_not_found' })
    const project = await createProject(server.client, { organizationId })
    const huge = await submit(project.widgetKey, makeSubmission({ context: { blob: 'x'.repeat(300_000) } }))
    expect(huge.status).toBe(413)
    expect(await huge.json()).toMatchObject({ code: 'body_too_large' })
  })

  it('takes in nothing for a project that was deleted', async () => {
    const project = await createProject(server.client, { organizationId })
    expect((await submit(project.widgetKey, makeSubmission())).status).toBe(201)
    await server.client.query('delete from projects where id = $1', [project.id])
    await expect.poll(async () => (await submit(project.widgetKey, makeSubmission())).status).toBe(404)
  })

  it('answers preflights', async () => {
    const reply = await fetch(`${server.url}/e/wk_AAAAAAAAAAAAAAAAAAAAAA/submissions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect(reply.status).toBe(204)
    expect(reply.headers.get('access-control-allow-headers')).toBe('content-type')
  })
})

describe('POST /e/{widgetKey}/submissions, too fast', () => {
  it('answers 429 with the time to wait, per visitor and project', async () => {
    const strict = await startTestServer({ INGEST_RATE_PER_MINUTE: '3' })
    const owner = await createUser(strict.client)
    const projects = await Promise.all(
      [1, 2].map(() => createProject(strict.client, { organizationId: owner.organizationId ?? '' })),
    )
    const send = (key = '') => strict.call(`/e/${key}/submissions`, { body: makeSubmission() })
    const statuses = []
    for (let index = 0; index < 4; index += 1) statuses.push((await send(projects[0]?.widgetKey)).status)
    expect(statuses).toEqual([201, 201, 201, 429])
    const refused = await send(projects[0]?.widgetKey)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after')
    expect((await send(projects[1]?.widgetKey)).status).toBe(201)
    await strict.stop()
  })
})

describe('GET /e/{widgetKey}.js', () => {
  it('serves code and settings in one cacheable answer', async () => {
    const project = await createProject(server.client, { organizationId, domain: 'loads.example' })
    const reply = await fetch(`${server.url}/e/${project.widgetKey}.js`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(reply.headers.get('cache-control')).toContain('stale-while-revalidate')
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const code = await reply.text()
    expect(code).toContain(`"key":"${project.widgetKey}"`)
    expect(code).toContain('"hosts":["loads.example"]')
    expect(code).not.toContain('__EARSHOT_SETTINGS__')
    const again = await fetch(`${server.url}/e/${project.widgetKey}.js`, {
      headers: { 'if-none-match': reply.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('serves the panel it names, for good', async () => {
    const project = await createProject(server.client, { organizationId })
    const code = await (await fetch(`${server.url}/e/${project.widgetKey}.js`)).text()
    const panelPath = /"panelPath":"([^"]+)"/.exec(code)?.[1] ?? ''
    const reply = await fetch(server.url + panelPath)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('follows a changed domain', async () => {
    const project = await createProject(server.client, { organizationId, domain: 'before.example' })
    const read = async () => (await fetch(`${server.url}/e/${project.widgetKey}.js`)).text()
    expect(await read()).toContain('before.example')
    await server.client.query(`update projects set domain = 'after.example' where id = $1`, [project.id])
    await expect.poll(read).toContain('after.example')
  })

  it('notes that a page found it', async () => {
    const project = await createProject(server.client, { organizationId })
    await fetch(`${server.url}/e/${project.widgetKey}.js`)
    await expect
      .poll(
        async () =>
          (await server.client.query('select last_loaded_at from widgets where key = $1', [project.widgetKey])).rows[0],
        { timeout: 4_000 },
      )
      .toEqual({ last_loaded_at: expect.any(Date) })
  })

  it('does not break a page whose key is unknown', async () => {
    const reply = await fetch(`${server.url}/e/wk_AAAAAAAAAAAAAAAAAAAAAA.js`)
    expect(reply.status).toBe(404)
    expect(await reply.text()).toMatch(/^console\.warn\(/)
  })
})
