import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { OrganizationProfile } from '#contract/organizations.ts'
import { type BuiltUser, createMember, createUser } from '#server/testing/builders.ts'
import { makePng } from '#server/testing/files-fixture.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let owner: BuiltUser
let token: string
let path: string

beforeAll(async () => {
  server = await startTestServer()
  await createUser(server.client)
})
afterAll(() => server.stop())

beforeEach(async () => {
  owner = await createUser(server.client, { organizationName: 'Acme' })
  token = await server.signIn(owner)
  path = `/api/v1/organizations/${owner.organizationId}`
})

async function send(method: string, to: string, body?: object, as = token) {
  const reply = await server.call(to, { method, token: as, ...(body && { body }) })
  const text = await reply.text()
  return {
    status: reply.status,
    reply: (text === '' ? {} : JSON.parse(text)) as OrganizationProfile & Problem,
  }
}

const read = async () => (await send('GET', path)).reply

async function listChanges(): Promise<unknown[]> {
  const { rows } = await server.client.query(
    `select payload from app.events where organization_id = $1 and name = 'organization.updated' order by id`,
    [owner.organizationId],
  )
  return rows.map(({ payload }) => payload)
}

describe('PATCH /api/v1/organizations/{organizationId}', () => {
  it('changes name and slug, and records both before and after', async () => {
    const { slug } = await read()
    const changed = await send('PATCH', path, { name: '  Bar & Söhne ', slug: ` Bar & Söhne ${slug} ` })
    expect([changed.status, changed.reply]).toMatchObject([
      200,
      { name: 'Bar & Söhne', slug: `bar-soehne-${slug}`, logoUrl: null },
    ])
    expect((await read()).name).toBe('Bar & Söhne')
    // The same again changes nothing.
    await send('PATCH', path, { name: 'Bar & Söhne' })
    expect(await listChanges()).toEqual([
      { before: { name: 'Acme', slug }, after: { name: 'Bar & Söhne', slug: `bar-soehne-${slug}` } },
    ])
  })

  it('refuses a slug of another organisation, and one of which nothing is left', async () => {
    const other = await createUser(server.client)
    const { rows } = await server.client.query('select slug from organizations where id = $1', [other.organizationId])
    const taken = await send('PATCH', path, { name: 'Unwritten', slug: rows[0].slug.toUpperCase() })
    expect([taken.status, taken.reply.code, taken.reply.fields?.[0]?.path]).toEqual([409, 'slug_taken', 'body.slug'])
    for (const [body, field] of [
      [{ slug: '東京' }, 'body.slug'],
      [{ slug: '---' }, 'body.slug'],
      [{ name: '   ' }, 'body.name'],
      [{ name: 'x'.repeat(101) }, 'body.name'],
      [{ name: 'a\u0000b' }, 'body.name'],
      [{ trialEndsAt: '2030-01-01T00:00:00Z' }, 'body.trialEndsAt'],
    ] as const) {
      const refused = await send('PATCH', path, body)
      expect([refused.status, refused.reply.fields?.[0]?.path]).toEqual([400, field])
    }
    expect((await read()).name).toBe('Acme')
    const all = await Promise.all(
      [token, await server.signIn(other)].map((as, index) =>
        send('PATCH', index === 0 ? path : `/api/v1/organizations/${other.organizationId}`, { slug: 'wanted' }, as),
      ),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('the logo', () => {
  const bytes = makePng(16, 16)
  const logo = (mime: string, content: Buffer) => ({ mime, data: content.toString('base64') })

  it('is shown under an address of its own, to be saved and never to be run', async () => {
    const set = await server.call(`${path}/logo`, { method: 'PUT', token, body: logo('image/png', bytes) })
    expect(set.status).toBe(200)
    const { logoUrl } = (await set.json()) as { logoUrl: string }
    expect((await read()).logoUrl).toBe(logoUrl)
    // V-34
    const shown = await fetch(server.url + logoUrl)
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect((await send('DELETE', `${path}/logo`)).status).toBe(204)
    expect((await fetch(server.url + logoUrl)).status).toBe(404)
    expect((await read()).logoUrl).toBeNull()
    const logoId = logoUrl.split('/').at(-1)
    expect(await listChanges()).toEqual([
      { before: { logoId: null }, after: { logoId } },
      { before: { logoId }, after: { logoId: null } },
    ])
  })

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  it.each([
    ['an SVG', logo('image/svg+xml', svg), 'body.mime'],
    ['an SVG that says it is a PNG', logo('image/png', svg), 'body.data'],
    ['a PNG with HTML behind it', logo('image/png', Buffer.concat([bytes, Buffer.from('<script>')])), 'body.data'],
    ['a PNG that says it is a JPEG', logo('image/jpeg', bytes), 'body.data'],
    ['more than 100 kB', logo('image/png', Buffer.alloc(102_401)), 'body.data'],
  ])('V-34: refuses %s', async (_what, body, field) => {
    const refused = await send('PUT', `${path}/logo`, body)
    expect([refused.status, refused.reply.fields?.[0]?.path]).toEqual([400, field])
    expect((await read()).logoUrl).toBeNull()
  })

  it('is the owners’ to change', async () => {
    const organizationId = owner.organizationId ?? ''
    const admin = await server.signIn(await createMember(server.client, { organizationId, role: 'admin' }))
    expect((await send('PUT', `${path}/logo`, logo('image/png', bytes), admin)).status).toBe(403)
    expect((await send('PATCH', path, { name: 'Mine' }, admin)).status).toBe(403)
    expect((await send('GET', path, undefined, admin)).status).toBe(200)
  })
})
