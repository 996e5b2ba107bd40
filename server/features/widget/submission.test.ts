import { createHash, createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltUser, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission, submit as send } from '#server/testing/visitor.ts'

let server: TestServer
let organizationId: string
let owner: BuiltUser

beforeAll(async () => {
  server = await startTestServer({ INGEST_RATE_PER_MINUTE: '100000' })
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
})

afterAll(() => server.stop())

const submit = (key: string, body: unknown, headers: Record<string, string> = {}) => send(server, key, body, headers)

async function readStored(id: string) {
  const { rows } = await server.client.query('select * from feedback where id = $1', [id])
  return rows[0]
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
      message: 'It does nothing.',
      rating: 4,
      visitor_email: 'visitor@example.org',
      visitor_name: 'Grace',
      page_url: 'https://shop.example/cart',
      page_title: 'Cart',
      context: { viewport: [1280, 720] },
      metadata: { plan: 'pro' },
    })
  })

  it('is in the inbox, in filters and in searches as soon as it is answered, among others that arrive', async () => {
    const project = await createProject(server.client, { organizationId })
    const token = await server.signIn(owner)
    const find = async (query: string) => {
      const path = `/api/v1/organizations/${organizationId}/feedback?projectId=${project.id}&${query}`
      const { items } = (await (await server.call(path, { token })).json()) as { items: { id: string }[] }
      return items.map(({ id }) => id)
    }
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const word = `heliotrope${'abcdefghijklmnopqrst'[n]}`
        const body = makeSubmission({ message: `A ${word} appears.`, rating: (n % 5) + 1, tags: [word] })
        expect((await submit(project.widgetKey, body)).status).toBe(201)
        expect(await find('limit=100')).toContain(body.id)
        expect(await find(`tag=${word}&rating=${body.rating}`)).toEqual([body.id])
        expect(await find(`q=${word}`)).toEqual([body.id])
      }),
    )
  })

  it('stores no credentials of addresses, in the page or in what the widget saw', async () => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission({
      message: 'See https://ada:s3cret@shop.example/',
      page: { url: 'https://ada:s3cret@shop.example/cart?a=b' },
      context: { routes: [[1, 'https://ada:s3cret@shop.example/']], referrer: 'http://ada@x.example/' },
      metadata: { source: 'https://ada:s3cret@shop.example/' },
    })
    expect((await submit(project.widgetKey, body)).status).toBe(201)
    expect(await readStored(body.id)).toMatchObject({
      page_url: 'https://shop.example/cart?a=b',
      context: { routes: [[1, 'https://shop.example/']], referrer: 'http://x.example/' },
      // The visitor's and the site's own words stay as they are.
      message: body.message,
      metadata: body.metadata,
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

  it('leaves no gap in the numbers where repeats, and ids of a sibling, arrive among new ones', async () => {
    const [one, two] = [
      await createProject(server.client, { organizationId }),
      await createProject(server.client, { organizationId }),
    ]
    const bodies = Array.from({ length: 60 }, (_, index) => makeSubmission({ message: `Item ${index}.` }))
    const sendAll = (key: string, from: number, to: number) =>
      bodies.slice(from, to).map(async (body) => (await submit(key, body)).status)
    await Promise.all(sendAll(one.widgetKey, 0, 20))
    // Old and new ones of the first project, and the same ids at the second, at once.
    const [first, second] = await Promise.all([
      Promise.all(sendAll(one.widgetKey, 0, 40)),
      Promise.all(sendAll(two.widgetKey, 20, 60)),
    ])
    expect(first.slice(0, 20)).toEqual(Array(20).fill(200))
    expect(second.slice(20)).toEqual(Array(20).fill(201))
    // Each of those that both were sent has one place.
    for (let index = 0; index < 20; index += 1) expect([first[20 + index], second[index]].sort()).toEqual([201, 422])
    const { rows } = await server.client.query(
      `select count(*)::int as stored, max(f.number)::int as top, min(c.feedback_count)::int as counted
       from feedback f join project_counters c using (organization_id, project_id)
       where project_id = any ($1) group by project_id`,
      [[one.id, two.id]],
    )
    for (const { stored, top, counted } of rows) expect([top, counted]).toEqual([stored, stored])
    expect(rows.reduce((sum, { stored }) => sum + stored, 0)).toBe(60)
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
    expect(reply.headers.get('access-control-allow-headers')).toBe('content-type, x-earshot-proof')
  })

  it('stores all that a whole widget sends', async () => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission({
      message: '',
      nps: 10,
      fields: { plan: ' Free ', agreed: true, blank: '  ' },
      consent: true,
      tags: ['checkout', ' checkout ', 'mobile', ' '],
      visitor: { id: 'u_1' },
      visitorKey: 'AbcdefghijklmnopqrstuV',
      attachments: [
        { id: randomUUID().toUpperCase(), kind: 'screenshot', name: 'page\u0000.png', missing: ['frames', 'parts'] },
        { id: randomUUID(), kind: 'voice', durationMs: 61_000 },
      ],
      guard: { elapsedMs: 20_000, website: '' },
    })
    const reply = await submit(project.widgetKey, body)
    expect(reply.status, await reply.clone().text()).toBe(201)
    expect(await readStored(body.id)).toMatchObject({
      message: '',
      nps: 10,
      fields: { plan: 'Free', agreed: true },
      consent: true,
      tags: ['checkout', 'mobile'],
      visitor_id: 'u_1',
      visitor_verified: false,
      visitor_key_hash: createHash('sha256').update('AbcdefghijklmnopqrstuV').digest(),
      spam_reason: null,
    })
    const { rows } = await server.client.query(
      'select id, kind, name, position, duration_ms, missing from feedback_attachments where feedback_id = $1 order by position',
      [body.id],
    )
    expect(rows).toEqual([
      {
        id: body.attachments?.[0]?.id.toLowerCase(),
        kind: 'screenshot',
        name: 'page .png',
        position: 0,
        duration_ms: null,
        missing: ['frames', 'parts'],
      },
      { id: body.attachments?.[1]?.id, kind: 'voice', name: null, position: 1, duration_ms: 61_000, missing: [] },
    ])
    const again = await submit(project.widgetKey, body)
    expect(again.status).toBe(200)
    const { rows: counted } = await server.client.query(
      'select count(*)::int as n from feedback_attachments where feedback_id = $1',
      [body.id],
    )
    expect(counted).toEqual([{ n: 2 }])
  })

  it.each([
    ['a rating', { rating: 1 }, 201],
    ['a score', { nps: 0 }, 201],
    ['an answer', { fields: { plan: 'Free' } }, 201],
    ['a file', { attachments: [{ id: '01a1fbfe-0000-7000-8000-00000000000a', kind: 'file' }] }, 201],
    ['nothing', {}, 400],
    ['a blank answer', { fields: { plan: ' ' } }, 400],
    ['a box', { fields: { agreed: true } }, 400],
    ['no file', { attachments: [] }, 400],
    ['consent', { consent: true }, 400],
  ])('without words but with %s answers %i', async (_what, part, status) => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission({ message: ' \n ', ...part })
    const reply = await submit(project.widgetKey, body)
    expect(reply.status).toBe(status)
    if (status === 400) {
      expect(await reply.json()).toMatchObject({ code: 'validation_failed', fields: [{ path: 'body.message' }] })
      expect(await readStored(body.id)).toBeUndefined()
    }
  })

  it('leaves a file to the item that announced it first', async () => {
    const project = await createProject(server.client, { organizationId })
    const attachments = [{ id: randomUUID(), kind: 'file' }]
    const [first, thief] = [makeSubmission({ attachments }), makeSubmission({ attachments })]
    expect((await submit(project.widgetKey, first)).status).toBe(201)
    expect((await submit(project.widgetKey, thief)).status).toBe(201)
    const { rows } = await server.client.query('select feedback_id from feedback_attachments where id = $1', [
      attachments[0]?.id,
    ])
    expect(rows).toEqual([{ feedback_id: first.id }])
  })

  it('trusts only the site’s signature about a visitor’s identity, and refuses no submission for it', async () => {
    owner = await createUser(server.client)
    const project = await createProject(server.client, { organizationId: owner.organizationId ?? '' })
    const path = `/api/v1/organizations/${owner.organizationId}/projects/${project.id}/widget/identity-secret`
    const token = await server.signIn(owner)
    const readSecret = async () => ((await (await server.call(path, { token })).json()) as { secret: string }).secret
    const sign = (id: string, secret: string) => createHmac('sha256', secret).update(id).digest('hex')
    const store = async (hash: string) => {
      const body = makeSubmission({ visitor: { id: 'ü_1', hash } })
      expect((await submit(project.widgetKey, body)).status).toBe(201)
      return (await readStored(body.id)).visitor_verified
    }
    const secret = await readSecret()
    expect(await store(sign('ü_1', secret))).toBe(true)
    expect(await store(sign('ü_1', secret).toUpperCase())).toBe(true)
    for (const wrong of [sign('u_2', secret), sign('ü_1', 'guess'), '', 'zz', sign('ü_1', secret).slice(0, 62)]) {
      expect(await store(wrong), wrong).toBe(false)
    }
    await server.call(`${path}/rotate`, { token, body: {} })
    expect(await readSecret()).not.toBe(secret)
    await expect.poll(() => store(sign('ü_1', secret))).toBe(false)
    expect(await store(sign('ü_1', await readSecret()))).toBe(true)
  })

  it('is found by the words of an answer', async () => {
    owner = await createUser(server.client)
    const project = await createProject(server.client, { organizationId: owner.organizationId ?? '' })
    await submit(project.widgetKey, makeSubmission({ fields: { where: 'Rhododendron', other: 'garden' } }))
    const token = await server.signIn(owner)
    const found = await server.call(`/api/v1/organizations/${owner.organizationId}/feedback?q=rhodod`, { token })
    expect(((await found.json()) as { items: unknown[] }).items).toHaveLength(1)
  })

  it.each([
    [
      'metadata of 100,000 entries',
      { metadata: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 1])) },
      413,
    ],
    [
      'metadata of 101 entries',
      { metadata: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, 1])) },
      400,
    ],
    ['a list of 100,000', { metadata: { list: Array.from({ length: 100_000 }, () => 1) } }, 400],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 400],
    ['21 answers', { fields: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, 'x'])) }, 400],
    ['11 files', { attachments: Array.from({ length: 11 }, () => ({ id: randomUUID(), kind: 'file' })) }, 400],
    ['an answer of 2,001 characters', { fields: { plan: 'x'.repeat(2001) } }, 400],
  ])('refuses %s as a whole', async (_what, part, status) => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission(part)
    const reply = await submit(project.widgetKey, body)
    expect(reply.status).toBe(status)
    if (status === 400) {
      const { fields } = (await reply.json()) as { fields: { path: string; message: string }[] }
      expect(fields).toHaveLength(1)
      expect(fields[0]?.path).toMatch(new RegExp(`^body\\.${Object.keys(part)[0]}`))
    }
    expect(await readStored(body.id)).toBeUndefined()
  })

  it('keeps markup and control characters as harmless text, wherever they stand', async () => {
    const project = await createProject(server.client, { organizationId })
    const odd = '<img src=x onerror=alert(1)>\u0000\u0007\ud800 {{7*7}} =cmd()'
    const body = makeSubmission({
      message: odd,
      name: odd,
      tags: [odd.slice(0, 40)],
      fields: { plan: odd },
      visitor: { id: odd },
      metadata: { [odd]: odd },
      attachments: [{ id: randomUUID(), kind: 'file', name: odd }],
    })
    expect((await submit(project.widgetKey, body)).status).toBe(201)
    const clean = '<img src=x onerror=alert(1)>  \ufffd {{7*7}} =cmd()'
    expect(await readStored(body.id)).toMatchObject({
      message: clean,
      visitor_name: clean,
      fields: { plan: clean },
      visitor_id: clean,
      metadata: { [clean]: clean },
    })
  })

  it('keeps what names or identifies on one line', async () => {
    const project = await createProject(server.client, { organizationId })
    const body = makeSubmission({
      name: 'Ada\r\nLovelace\u0085',
      tags: ['two\nlines', 'two lines'],
      visitor: { id: 'u\n1\u2028' },
      page: { url: 'https://shop.example/', title: '\tChairs' },
    })
    expect((await submit(project.widgetKey, body)).status).toBe(201)
    expect(await readStored(body.id)).toMatchObject({
      visitor_name: 'Ada  Lovelace',
      tags: ['two lines'],
      visitor_id: 'u 1',
      page_title: 'Chairs',
    })
  })

  it('accepts the additional domains of a project', async () => {
    const { id, widgetKey } = await createProject(server.client, { organizationId })
    await server.client.query(`update projects set extra_origins = '{partner.example}' where id = $1`, [id])
    const from = async (origin: string) => (await submit(widgetKey, makeSubmission(), { origin })).status
    await expect.poll(() => from('https://shop.partner.example')).toBe(201)
    expect(await from('https://notpartner.example')).toBe(403)
  })

  it('takes what our own pages send for a test', async () => {
    const { widgetKey } = await createProject(server.client, { organizationId })
    const body = makeSubmission()
    expect((await submit(widgetKey, body, { origin: server.url })).status).toBe(201)
    expect(await readStored(body.id)).toMatchObject({ source: 'test' })
  })
})
