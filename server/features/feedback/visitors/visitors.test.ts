import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor, VisitorErasure, VisitorListItem } from '#contract/visitors.ts'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { readZip } from '#server/testing/read-zip.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let fixture: FilesFixture
let path: string

beforeAll(async () => {
  fixture = await openFilesFixture()
  path = `/api/v1/organizations/${fixture.project.organizationId}`
})

afterAll(() => fixture.stop())

const call = (rest: string, body?: unknown, token = fixture.token) =>
  fixture.server.call(`${path}${rest}`, { token, ...(body !== undefined && { body }) })
const send = async (sent: Record<string, unknown>, widgetKey = fixture.project.widgetKey) => {
  const body = makeSubmission(sent)
  const reply = await submit(fixture.server, widgetKey, body)
  expect(reply.status, await reply.text()).toBe(201)
  return body.id
}
const profile = async (visitor: string) =>
  (await (await call(`/visitors/profile?visitor=${encodeURIComponent(visitor)}`)).json()) as Visitor
const items = async (visitor: string, rest = '') =>
  (await (await call(`/visitors/feedback?visitor=${encodeURIComponent(visitor)}${rest}`)).json()) as {
    items: { id: string }[]
    nextCursor: string | null
  }
const list = async (query: string) =>
  (await (await call(`/visitors?${query}`)).json()) as { items: VisitorListItem[]; nextCursor: string | null }

describe('GET …/visitors', () => {
  it('lists identified visitors, last seen first, a page at a time', async () => {
    const tag = randomUUID().slice(0, 8)
    await send({ message: 'An anonymous message.' })
    for (const n of [1, 2, 3]) await send({ visitor: { id: `list-${tag}-${n}` }, name: `Person ${n}` })
    await send({ email: `List-${tag}@Example.com` })
    await eventually(async () => (await list(`q=list-${tag}`)).items.length).toBe(4)
    const first = await list(`q=list-${tag}&limit=3`)
    expect(first.items.map(({ key }) => key)).toEqual([`list-${tag}@example.com`, `list-${tag}-3`, `list-${tag}-2`])
    const rest = await list(`q=list-${tag}&limit=3&cursor=${first.nextCursor}`)
    expect(rest).toMatchObject({ items: [{ key: `list-${tag}-1`, name: 'Person 1' }], nextCursor: null })
  })

  it('finds by part of an address, a name or an id, and takes punctuation literally', async () => {
    const tag = randomUUID().slice(0, 8)
    await send({ visitor: { id: `u%_${tag}` }, name: `Zoë ${tag} Ōno`, email: `zoe.${tag}@mail.example` })
    await eventually(async () => (await list(`q=${tag}`)).items.length).toBe(1)
    for (const q of [`${tag}@mail`, `zoë ${tag}`, `%_${tag}`, `U%_${tag}`, tag.slice(2)]) {
      expect((await list(`q=${encodeURIComponent(q)}`)).items, q).toHaveLength(1)
    }
    for (const q of [`_%${tag}`, `${tag}%mail`, `\\${tag}`]) {
      expect((await list(`q=${encodeURIComponent(q)}`)).items, q).toHaveLength(0)
    }
  })

  it('counts the items of each visitor as they arrive, change and go', async () => {
    const tag = randomUUID().slice(0, 8)
    const email = `sums.${tag}@example.com`
    const sums = async () => {
      const [found] = (await list(`q=${tag}`)).items
      return found && [found.items, found.openItems, found.unansweredItems, found.lastRating]
    }
    const change = async (id: string, body: unknown) =>
      expect(
        (await fixture.server.call(`${path}/feedback/${id}`, { method: 'PATCH', token: fixture.token, body })).status,
      ).toBe(200)
    const first = await send({ email, rating: 2 })
    const second = await send({ email: email.toUpperCase() })
    await eventually(sums).toEqual([2, 2, 2, 2])
    await change(second, { status: 'resolved' })
    await eventually(sums).toEqual([2, 1, 1, 2])
    expect((await call(`/feedback/${first}/comments`, { id: randomUUID(), kind: 'reply', text: 'Soon.' })).status).toBe(
      201,
    )
    await eventually(sums).toEqual([2, 1, 0, 2])
    const third = await send({ email, rating: 5 })
    await eventually(sums).toEqual([3, 2, 1, 5])
    await change(first, { deleted: true })
    await eventually(sums).toEqual([3, 1, 1, 5])
    expect((await call('/feedback/trash/empty', { ids: [first] })).status).toBe(200)
    await eventually(sums).toEqual([2, 1, 1, 5])
    for (const id of [second, third]) await change(id, { deleted: true })
    expect((await call('/feedback/trash/empty', { ids: [second, third] })).status).toBe(200)
    await eventually(sums).toBeUndefined()
  })

  it('counts a visitor with hundreds of items again once in some seconds, however many arrive', async () => {
    const tag = randomUUID().slice(0, 8)
    const { client } = fixture.server
    const { organizationId, id: projectId } = fixture.project
    await client.query(
      `insert into public.feedback (organization_id, id, project_id, number, type, source, message, rating, visitor_id, page_url, content_hash)
       select $1, gen_random_uuid(), $2, 100000 + n, 'idea', 'widget', 'Made before.', 3, $3, '', sha256(n::text::bytea)
       from generate_series(1, 300) as n`,
      [organizationId, projectId, `often-${tag}`],
    )
    await client.query(
      'update public.project_counters set feedback_count = feedback_count + 300 where project_id = $1',
      [projectId],
    )
    const counted = async () => (await list(`q=${tag}`)).items.map(({ items, lastRating }) => [items, lastRating])
    await send({ visitor: { id: `often-${tag}` }, rating: 4 })
    await eventually(counted).toEqual([[301, 4]])
    const waiting = async () => {
      const { rows } = await client.query(
        `select from graphile_worker.jobs where task_identifier = 'count_marked_visitors' and run_at > now()`,
      )
      return rows.length
    }
    await send({ visitor: { id: `often-${tag}` }, rating: 1 })
    await eventually(waiting).toBe(1)
    for (const rating of [2, 5]) {
      await send({ visitor: { id: `often-${tag}` }, rating })
      expect(await waiting()).toBeLessThanOrEqual(1)
    }
    await eventually(counted).toEqual([[304, 5]])
  })

  it('sorts by items and by unanswered items, a page at a time', async () => {
    const tag = randomUUID().slice(0, 8)
    for (const [name, count] of [
      ['few', 1],
      ['many', 3],
      ['some', 2],
    ] as const) {
      for (let n = 0; n < count; n += 1) await send({ visitor: { id: `${name}-${tag}` } })
    }
    await send({ email: `${tag}@example.com` })
    await send({ visitor: { id: `last-${tag}` } })
    await eventually(async () => (await list(`q=${tag}`)).items.map(({ items }) => items)).toEqual([1, 1, 2, 3, 1])
    const sorted = async (sort: string) => {
      const keys: string[] = []
      let cursor = ''
      do {
        const page = await list(`q=${tag}&sort=${sort}&limit=2${cursor}`)
        keys.push(...page.items.map(({ key }) => key.replace(`-${tag}`, '')))
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
      } while (cursor !== '')
      return keys
    }
    expect(await sorted('items')).toEqual(['many', 'some', 'last', `${tag}@example.com`, 'few'])
    expect(await sorted('unanswered')).toEqual([`${tag}@example.com`, 'last', 'some', 'many', 'few'])
    expect((await list('sort=items&limit=1')).items).toHaveLength(1)
    expect((await call('/visitors?sort=name')).status).toBe(400)
  })

  it('shows no visitor of another organisation', async () => {
    const tag = randomUUID().slice(0, 8)
    await send({ email: `${tag}@example.com` })
    await eventually(async () => (await list(`q=${tag}`)).items.length).toBe(1)
    const stranger = await createUser(fixture.server.client)
    const token = await fixture.server.signIn(stranger)
    const own = `/api/v1/organizations/${stranger.organizationId}/visitors`
    const seen = await fixture.server.call(`${own}?q=${tag}`, { token })
    expect(await seen.json()).toEqual({ items: [], nextCursor: null })
    expect((await fixture.server.call(`${own}/profile?visitor=${tag}@example.com`, { token })).status).toBe(404)
  })

  it.each(['nonsense', Buffer.from('2026-01-01T00:00:00.000000Z \0').toString('base64url')])(
    'refuses the cursor %s',
    async (cursor) => {
      for (const route of ['/visitors?', '/visitors/feedback?visitor=x&']) {
        const reply = await call(`${route}cursor=${cursor}`)
        expect(reply.status).toBe(400)
        expect(await reply.json()).toMatchObject({ fields: [{ path: 'query.cursor' }] })
      }
    },
  )
})

describe('GET …/visitors/profile and …/visitors/feedback', () => {
  it('lists the items of an id that many people share, newest first and each once, on pages of any length', async () => {
    const tag = randomUUID().slice(0, 8)
    const id = `shared-${tag}`
    const sent: string[] = []
    // One address has many items, some have a few, and most have none without the id.
    for (const [person, count] of [7, 3, 0, 1, 0, 2, 0].entries()) {
      const email = `person-${person}.${tag}@example.com`
      sent.push(await send({ email, visitor: { id } }))
      for (let n = 0; n < count; n += 1) sent.push(await send({ email }))
    }
    for (const limit of [1, 2, 5, 50]) {
      const listed: string[] = []
      let cursor = ''
      do {
        const page = await items(id, `&limit=${limit}${cursor}`)
        listed.push(...page.items.map((item) => item.id))
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
      } while (cursor !== '')
      expect(listed, `pages of ${limit}`).toEqual(sent.toReversed())
    }
    expect((await profile(id)).total).toBe(sent.length)
  })

  it('combines the items of one person, under their id and without it, in every project', async () => {
    const tag = randomUUID().slice(0, 8)
    const second = await createProject(fixture.server.client, {
      organizationId: fixture.project.organizationId,
      name: 'Second',
    })
    const id = `person/${tag} ü`
    const email = `${tag}@example.com`
    const sent = [
      await send({ email, page: { url: 'https://shop.example/first' }, message: 'Before signing in.' }),
      await send({ visitor: { id }, email: email.toUpperCase(), name: 'Ada', context: { userAgent: 'Firefox/1' } }),
      await send({ visitor: { id }, name: 'Ada L.' }, second.widgetKey),
    ]
    await send({ visitor: { id: `other-${tag}` }, email })
    const known = await profile(id)
    expect(known).toMatchObject({
      visitorIds: [id],
      emails: [email],
      names: ['Ada L.', 'Ada'],
      total: 3,
      isVerified: false,
      locations: { inbox: 3 },
      userAgents: [{ value: 'Firefox/1', count: 1 }],
    })
    expect(known.projects.map(({ name, count }) => [name, count])).toEqual([
      ['Website', 2],
      ['Second', 1],
    ])
    expect(known.pages[0]).toEqual({ value: 'https://shop.example/cart', count: 2 })
    const page = await items(id, '&limit=2')
    expect(page.items.map((item) => item.id)).toEqual([sent[2], sent[1]])
    expect((await items(id, `&limit=2&cursor=${page.nextCursor}`)).items.map((item) => item.id)).toEqual([sent[0]])
    // By the address, under any visitor id.
    expect((await profile(email.toUpperCase())).visitorIds).toEqual([`other-${tag}`, id])
    expect((await items(email)).items).toHaveLength(3)
    expect((await call('/visitors/profile?visitor=unknown')).status).toBe(404)
  })
})

describe('GET …/visitors/export', () => {
  it('is a ZIP of all items with their messages, conversations and files', async () => {
    const tag = randomUUID().slice(0, 8)
    const bytes = makePng(64, 48)
    const fileId = await sendFile(fixture.server, fixture.project.widgetKey, {
      kind: 'screenshot',
      bytes,
      name: '../../etc/пример image.png',
    })
    const feedbackId = await send({
      visitor: { id: `take-${tag}` },
      message: 'My words',
      attachments: [{ id: fileId, kind: 'screenshot', name: '../../etc/пример image.png' }],
    })
    await fixture.settle(feedbackId)
    await call(`/feedback/${feedbackId}/comments`, { id: randomUUID(), kind: 'note', text: 'A note.' })
    const reply = await call(`/visitors/export?visitor=take-${tag}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/zip')
    const entries = readZip(Buffer.from(await reply.arrayBuffer()))
    expect([...entries.keys()]).toEqual([
      'visitor.json',
      'items.json',
      `files/${feedbackId}/1-_.._etc_пример_image.png`,
    ])
    expect(JSON.parse(entries.get('items.json')?.toString() ?? '')).toMatchObject([
      { id: feedbackId, message: 'My words', comments: [{ kind: 'note', text: 'A note.' }], files: [{ id: fileId }] },
    ])
    expect([...entries.values()].at(-1)?.equals(bytes)).toBe(true)
    expect((await call('/visitors/export?visitor=unknown')).status).toBe(404)
  })
})

describe('POST …/visitors/erasures', () => {
  const erase = (visitor: string, id = randomUUID() as string, confirmation = visitor, token = fixture.token) =>
    call('/visitors/erasures', { id, visitor, confirmation }, token)
  const finish = async (id: string) => {
    await eventually(async () => (await readErasure(id)).state).toBe('done')
    return readErasure(id)
  }
  const readErasure = async (id: string) => (await (await call(`/visitors/erasures/${id}`)).json()) as VisitorErasure

  const preview = async (visitor: string) =>
    (await call(`/visitors/erasure-preview?visitor=${encodeURIComponent(visitor)}`)).json()
  const exportAll = async (format: string, selection: Record<string, unknown> = {}) => {
    const id = randomUUID()
    expect((await call('/exports', { id, format, selection })).status).toBe(201)
    await eventually(async () => ((await (await call(`/exports/${id}`)).json()) as { state: string }).state).toBe(
      'ready',
    )
    return id
  }
  const uploadImport = async (projectId: string, csv: string) => {
    const id = randomUUID()
    expect((await call('/imports', { id, projectId, name: 'items.csv' })).status).toBe(201)
    const sent = await fetch(`${fixture.server.url}${path}/imports/${id}/file`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/octet-stream' },
      body: csv,
    })
    expect(sent.status, await sent.clone().text()).toBe(200)
    return id
  }

  it('requires the visitor’s name as confirmation, and tells a retry from another request', async () => {
    const visitor = `twice-${randomUUID()}`
    await send({ visitor: { id: visitor } })
    const refused = await erase(visitor, randomUUID(), 'someone else')
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ code: 'confirmation_differs' })
    expect((await profile(visitor)).total).toBe(1)

    const id = randomUUID()
    const replies = await Promise.all([erase(visitor, id), erase(visitor, id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 201])
    expect((await erase('another', id)).status).toBe(422)
    expect(await finish(id)).toMatchObject({ items: 1, total: 1 })
    expect((await erase(visitor, id)).status).toBe(200)
    expect((await call(`/visitors/erasures/${randomUUID()}`)).status).toBe(404)
  })

  it('leaves nothing of a person in any table, search or file, and all other visitors unchanged', async () => {
    const { server, project } = fixture
    const canary = `canary${'bcdfghjk'.charAt(Math.floor(Math.random() * 8))}${randomUUID().replaceAll(/[^a-f]/g, '')}`
    const email = `${canary}@example.com`
    const bytes = Buffer.concat([makePng(33, 44)])
    const fileId = await sendFile(server, project.widgetKey, { kind: 'screenshot', bytes, name: `${canary}.png` })
    const second = await createProject(server.client, { organizationId: project.organizationId })
    const withFile = await send({
      visitor: { id: `id-${canary}` },
      email,
      name: canary,
      message: `${canary} wrote this`,
      attachments: [{ id: fileId, kind: 'screenshot', name: `${canary}.png` }],
    })
    await send({ email: email.toUpperCase(), message: `again ${canary}`, fields: { plan: canary } }, second.widgetKey)
    const other = await send({ visitor: { id: `other-${randomUUID()}` }, message: 'Someone else wrote this' })
    await fixture.settle(withFile)
    await eventually(async () => (await list(`q=${canary}`)).items.length).toBeGreaterThan(0)
    await call(`/feedback/${withFile}/comments`, { id: randomUUID(), kind: 'reply', text: `Hello ${canary}` })
    await call('/views', { id: randomUUID(), name: 'Them', search: `visitor=id-${canary}`, isShared: true })
    // A digest that names several items, while the mail server is away.
    await server.client.query(
      `insert into app.emails (id, kind, to_address, subject, html, text, organization_id)
       values (gen_random_uuid(), 'new_feedback', 'member@example.com', 'New', $1, $1, $2)`,
      [`${canary} wrote this: /dashboard/feedback?item=${withFile}`, project.organizationId],
    )
    await eventually(async () => (await findEverywhere(canary)).includes('public.feedback_words')).toBe(true)
    expect(await findEverywhere(canary)).toContain('app.emails')
    expect(await findEverywhere(canary)).toContain('public.feedback')
    const keys = await server.client.query<{ storage_key: string }>('select storage_key from uploads where id = $1', [
      fileId,
    ])
    const stored = join(fixture.dataDir, 'files', keys.rows[0]?.storage_key ?? '')
    expect((await readFile(stored)).equals(bytes)).toBe(true)
    const counted = () =>
      server.client.query<{ n: number }>(
        `select (select sum(feedback_count) from project_counters where organization_id = $1)::integer
           - (select count(*) from feedback where organization_id = $1)::integer as n`,
        [project.organizationId],
      )

    const id = randomUUID()
    expect((await erase(`id-${canary}`, id)).status).toBe(201)
    expect(await finish(id)).toMatchObject({ state: 'done', total: 1, items: 1, files: 1 })
    const ofAddress = randomUUID()
    await erase(email, ofAddress)
    expect(await finish(ofAddress)).toMatchObject({ state: 'done', total: 1, items: 1, files: 0 })
    await eventually(() => findEverywhere(canary)).toEqual([])
    await eventually(async () => (await server.client.query('select from app.removed_files')).rowCount).toBe(0)
    await expect(readFile(stored)).rejects.toThrow('ENOENT')
    const left = await readdir(join(fixture.dataDir, 'files'), { recursive: true })
    expect(left.join(' ')).not.toContain(keys.rows[0]?.storage_key.split('/')[1])
    expect((await call(`/feedback/${withFile}`)).status).toBe(404)
    expect((await list(`q=${canary}`)).items).toEqual([])
    expect(await (await call(`/feedback?q=${canary}`)).json()).toMatchObject({ items: [] })
    expect((await call(`/visitors/profile?visitor=${email}`)).status).toBe(404)
    expect((await call(`/feedback/${other}`)).status).toBe(200)
    expect((await counted()).rows).toEqual([{ n: 0 }])
    const listEntries = async () =>
      (
        await server.client.query(
          `select actor_user_id is not null as "byWhom", after from audit_log
           where action = 'visitor.erased' and target_id = $1`,
          [id],
        )
      ).rows
    await eventually(listEntries).toEqual([{ byWhom: true, after: { items: 1, files: 1 } }])
  })

  // Each of these was matched by its letters, as a pattern, or as a piece of JSON once.
  const hostileKeys = [
    'n',
    'e',
    'new',
    'a%',
    '_',
    '%',
    '"',
    "'",
    '\\',
    '{',
    '{"visitor":',
    '"q":"x"',
    'visitor=',
    '&',
    'null',
    '1',
  ]

  it('deletes no view, export or import that merely contains the letters of a key', async () => {
    const { server, project } = fixture
    const { organizationId } = project
    const second = await createProject(server.client, { organizationId })
    const tag = randomUUID()
    await send({ visitor: { id: `kept-${tag}` }, email: `kept.${tag}@example.com`, message: 'A new one, "n" and a%_.' })
    const saved = [
      { name: 'Open and new', search: 'status=new&status=open&q=banana' },
      { name: `n_${tag}`, search: 'q=%22n%22' },
      { name: 'Kept', search: `visitor=kept-${tag}` },
      { name: 'Per page', search: 'q=100%25_{"visitor":"n"}' },
    ]
    for (const view of saved) await call('/views', { id: randomUUID(), isShared: true, ...view })
    const exportId = await exportAll('json')
    const importId = await uploadImport(
      second.id,
      `Message,Visible,Author\nno news,n,null\nA new page,_,"{""visitor"":1}"\n`,
    )

    // Every fragment of what a view says names no one, whatever quotes and separators it begins or ends with.
    const said = JSON.stringify(saved)
    const fragments = Array.from({ length: 40 }, (_, n) => said.substr((n * 7) % said.length, 1 + (n % 9)))
    for (const key of [...hostileKeys, ...fragments]) {
      const counts = { items: 0, files: 0, claimedItems: 0, savedViews: 0, exports: 0, imports: 0, unreadImports: 0 }
      expect(await preview(key), key).toEqual(counts)
    }
    // One visitor has the shortest key and items of their own; the other keys match nothing.
    await send({ visitor: { id: 'n' }, message: 'Mine.' })
    for (const key of hostileKeys) {
      const id = randomUUID()
      expect((await erase(key, id)).status, key).toBe(201)
      expect((await finish(id)).items, key).toBe(key === 'n' ? 1 : 0)
    }
    const views = (await (await call('/views')).json()) as { items: { name: string }[] }
    for (const { name } of saved) expect(views.items.map((view) => view.name)).toContain(name)
    expect((await call(`/exports/${exportId}`)).status).toBe(200)
    const file = await (await call(`/imports/${importId}`)).json()
    expect(file).toMatchObject({
      state: 'uploaded',
      layout: {
        rows: [
          ['no news', 'n', 'null'],
          ['A new page', '_', '{"visitor":1}'],
        ],
      },
    })
    expect((await profile(`kept-${tag}`)).total).toBe(1)
  })

  it('previews and deletes exactly what names the visitor', async () => {
    const { server, project } = fixture
    const { organizationId } = project
    const second = await createProject(server.client, { organizationId })
    const tag = randomUUID().slice(0, 8)
    const key = `ada"%_${tag}`
    const address = `ada.${tag}@example.com`
    const beforeThem = await exportAll('csv')
    await send({ visitor: { id: key }, message: 'Signed in.' })
    await send({ email: address.toUpperCase(), message: 'Signed out.' })
    const other = await send({ email: `zada.${tag}@example.com`, message: 'Someone else.' })
    const ofAll = await exportAll('json')
    const ofOther = await exportAll('json', { visitor: `zada.${tag}@example.com` })
    const byId = { name: 'By id', search: new URLSearchParams({ visitor: key, status: 'new' }).toString() }
    const byAddress = [
      { name: 'By search', search: `q=${encodeURIComponent(address.toUpperCase())}` },
      { name: address, search: 'status=new' },
    ]
    const left = [
      { name: `About ada.${tag}`, search: `visitor=z${address}` },
      { name: 'Words', search: `q=z${address}` },
    ]
    for (const view of [byId, ...byAddress, ...left])
      await call('/views', { id: randomUUID(), isShared: false, ...view })
    const named = await uploadImport(second.id, `Message,Contact\nHello,x@example.com\nHi,${address}\n`)
    const unnamed = await uploadImport(second.id, `Message,Contact\nHello,z${address}\n`)

    const listViewNames = async () =>
      ((await (await call('/views')).json()) as { items: { name: string }[] }).items.map(({ name }) => name)
    const none = { items: 0, files: 0, claimedItems: 0, savedViews: 0, exports: 0, imports: 0, unreadImports: 0 }
    expect(await preview(key)).toEqual({ ...none, items: 1, savedViews: 1, exports: 1 })
    expect(await preview(address)).toEqual({ ...none, items: 1, savedViews: 2, exports: 1, imports: 1 })
    const [ofId, ofAddress] = [randomUUID(), randomUUID()]
    await erase(key, ofId)
    expect(await finish(ofId)).toMatchObject({ items: 1 })
    expect(await listViewNames()).not.toContain(byId.name)
    for (const { name } of [...byAddress, ...left]) expect(await listViewNames()).toContain(name)
    const states = await Promise.all(
      [beforeThem, ofAll, ofOther].map(async (each) => (await call(`/exports/${each}`)).status),
    )
    expect(states).toEqual([200, 404, 200])
    expect((await call(`/imports/${named}`)).status).toBe(200)
    await erase(address, ofAddress)
    expect(await finish(ofAddress)).toMatchObject({ items: 1 })
    for (const { name } of byAddress) expect(await listViewNames()).not.toContain(name)
    for (const { name } of left) expect(await listViewNames()).toContain(name)
    expect((await call(`/imports/${named}`)).status).toBe(404)
    expect((await call(`/imports/${unnamed}`)).status).toBe(200)
    expect((await call(`/feedback/${other}`)).status).toBe(200)
    expect(await preview(key)).toEqual(none)
    expect(await preview(address)).toEqual(none)
  })

  it('keeps items from an address that items under the id merely claim, and hands none of them out', async () => {
    const tag = randomUUID().slice(0, 8)
    const key = `claims-${tag}`
    const address = `victim.${tag}@example.com`
    const ofVictim = await send({
      email: address,
      message: 'Mine, not theirs.',
      page: { url: 'https://shop.example/private' },
    })
    await send({ visitor: { id: key }, email: address, message: 'I say this is my address.' })
    await call('/views', { id: randomUUID(), isShared: true, name: `Of ${tag}`, search: `visitor=${address}` })
    const exportId = await exportAll('json', { visitor: address })
    // The team sees both beside each other.
    expect((await profile(key)).total).toBe(2)

    const zip = readZip(Buffer.from(await (await call(`/visitors/export?visitor=${key}`)).arrayBuffer()))
    expect(JSON.parse(zip.get('items.json')?.toString() ?? '')).toMatchObject([{ visitorId: key }])
    expect(zip.get('visitor.json')?.toString()).not.toContain('private')

    expect(await preview(key)).toMatchObject({ items: 1, claimedItems: 1, savedViews: 0, imports: 0 })
    const id = randomUUID()
    await erase(key, id)
    expect(await finish(id)).toMatchObject({ total: 1, items: 1 })
    expect((await call(`/feedback/${ofVictim}`)).status).toBe(200)
    expect((await profile(address)).total).toBe(1)
    const views = (await (await call('/views')).json()) as { items: { name: string }[] }
    expect(views.items.map(({ name }) => name)).toContain(`Of ${tag}`)
    // It selects items of the address without an id: none of the erased visitor.
    expect((await call(`/exports/${exportId}`)).status).toBe(200)
  })

  it('begins a running export again, and keeps the record of an import without the visitor’s row', async () => {
    const { server, project } = fixture
    const address = `halfway.${randomUUID().slice(0, 8)}@example.com`
    await send({ email: address })
    const exportId = randomUUID()
    // Read the visitor's item, and lost its process before it was complete.
    await server.client.query(
      `insert into exports (organization_id, id, created_by, format, selection, state, attempts, lists_subjects)
       values ($1, $2, (select user_id from memberships where organization_id = $1 limit 1), 'json', '{}', 'running', 1, true)`,
      [project.organizationId, exportId],
    )
    const olderId = randomUUID()
    // From before visitors of exports were listed: it may contain anyone.
    await server.client.query(
      `insert into exports (organization_id, id, created_by, format, selection, state, count, bytes, storage_key)
       values ($1, $2, gen_random_uuid(), 'json', '{}', 'ready', 3, 10, $3)`,
      [project.organizationId, olderId, `${project.organizationId}/${olderId}`],
    )
    const importId = await uploadImport(project.id, `Message,Contact\nHello,x@example.com\nHi,${address}\n`)
    await server.client.query(
      `update imports set state = 'imported', storage_key = null, accepted = 2, total = 2, imported_at = now() where id = $1`,
      [importId],
    )
    const id = randomUUID()
    await erase(address, id)
    await finish(id)
    await eventually(async () => await (await call(`/exports/${exportId}`)).json()).toMatchObject({ state: 'ready' })
    expect((await call(`/exports/${olderId}`)).status).toBe(404)
    expect(await (await call(`/imports/${importId}`)).json()).toMatchObject({
      state: 'imported',
      accepted: 2,
      layout: { rows: [['Hello', 'x@example.com']] },
    })
  })

  it('continues after a run that crashed', async () => {
    const { server, project } = fixture
    const visitor = `halfway-${randomUUID()}`
    const address = `${visitor}@example.com`
    await send({ email: address })
    const id = randomUUID()
    // The first run found the visitor and a merged part, removed the visitor's item with the merge, and crashed.
    await server.client.query(
      `insert into visitor_erasures (organization_id, id, subject, keys, subject_hash, requested_by, total, items)
       values ($1, $2, $3, array[$3, $4], sha256('x'), gen_random_uuid(), 2, 1)`,
      [project.organizationId, id, visitor, address],
    )
    await server.client.query(`select app.enqueue_job('erase_visitor', $1::json)`, [
      JSON.stringify({ organizationId: project.organizationId, id }),
    ])
    expect(await finish(id)).toMatchObject({ items: 2, total: 2 })
    expect((await call(`/visitors/profile?visitor=${address}`)).status).toBe(404)
  })

  it('is for members of the organisation alone', async () => {
    const stranger = await fixture.server.signIn(await createUser(fixture.server.client))
    expect((await erase('made', randomUUID(), 'made', stranger)).status).toBe(404)
    const { organizationId } = fixture.project
    const viewer = await createMember(fixture.server.client, { organizationId, role: 'viewer' })
    const token = await fixture.server.signIn(viewer)
    expect((await erase('unknown', randomUUID(), 'unknown', token)).status).toBe(201)
  })
})

/** Tables of which a row holds the text, in any column. */
async function findEverywhere(text: string): Promise<string[]> {
  const { client } = fixture.server
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name, n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'app', 'graphile_worker') and c.relkind in ('r', 'p')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query(`select from ${name} as t where lower(t::text) like $1 limit 1`, [`%${text}%`])
    if (rows.length > 0) found.push(name.includes('.') ? name : `public.${name}`)
  }
  return found
}
