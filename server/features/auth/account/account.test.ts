import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account, DeviceSession } from '#contract/auth.ts'
import type { Problem } from '#contract/errors.ts'
import { addMember, type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await createUser(server.client)
})
afterAll(() => server?.stop())

async function createSignedIn(options: Parameters<typeof createUser>[1] = {}): Promise<BuiltUser & { token: string }> {
  const user = await createUser(server.client, options)
  return { ...user, token: await server.signIn(user) }
}

async function listSessions(token: string): Promise<DeviceSession[]> {
  const response = await server.call('/api/v1/account/sessions', { token })
  return ((await response.json()) as { sessions: DeviceSession[] }).sessions
}

describe('GET /api/v1/account', () => {
  it('says who one is, and whether one has a password', async () => {
    const { token, email, id } = await createSignedIn({ fullName: 'Ada' })
    const read = async () => (await (await server.call('/api/v1/account', { token })).json()) as Account
    expect(await read()).toEqual({ fullName: 'Ada', email, avatarUrl: null, hasPassword: true })
    await server.client.query(`update auth.users set encrypted_password = '' where id = $1`, [id])
    expect((await read()).hasPassword).toBe(false)
  })
})

describe('sessions', () => {
  it('are listed for their owner alone, this device marked', async () => {
    const user = await createSignedIn()
    const phone = await server.signIn(user)
    await createSignedIn()
    const sessions = await listSessions(phone)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect(sessions[0]).toMatchObject({ ip: '127.0.0.1', lastUsedAt: expect.any(String) })
  })

  it('end at once, one’s own alone', async () => {
    const user = await createSignedIn()
    const phone = await server.signIn(user)
    const other = (await listSessions(phone)).find(({ isCurrent }) => !isCurrent)
    const end = (id: string, token: string) =>
      server.call(`/api/v1/account/sessions/${id}`, { method: 'DELETE', token })

    const stranger = await createSignedIn()
    expect((await end(other?.id ?? '', stranger.token)).status).toBe(404)
    expect((await end(crypto.randomUUID(), phone)).status).toBe(404)
    expect((await listSessions(phone)).length).toBe(2)

    expect((await end(other?.id ?? '', phone)).status).toBe(204)
    expect((await end(other?.id ?? '', phone)).status).toBe(404)
    expect((await server.call('/api/v1/account', { token: user.token })).status).toBe(401)
    expect((await server.call('/api/v1/account', { token: phone })).status).toBe(200)
  })
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const toBase64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

describe('PUT /api/v1/account/avatar', () => {
  const put = (token: string, body: unknown) => server.call('/api/v1/account/avatar', { method: 'PUT', token, body })
  const readProfile = async (userId: string) =>
    (await server.client.query('select avatar_url from profiles where user_id = $1', [userId])).rows[0].avatar_url

  it('keeps a picture, serves it to be looked at and nothing else, and forgets it', async () => {
    const user = await createSignedIn()
    const first = (await (await put(user.token, { mime: 'image/png', data: png })).json()) as { avatarUrl: string }
    const picture = await fetch(server.url + first.avatarUrl)
    expect(Buffer.from(await picture.arrayBuffer()).toString('base64')).toBe(png)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
    expect(picture.headers.get('content-security-policy')).toContain('sandbox')
    expect(picture.headers.get('cache-control')).toContain('immutable')
    expect(await readProfile(user.id)).toBe(first.avatarUrl)

    const second = (await (await put(user.token, { mime: 'image/png', data: png })).json()) as { avatarUrl: string }
    expect(second.avatarUrl).not.toBe(first.avatarUrl)
    expect((await fetch(server.url + first.avatarUrl)).status).toBe(404)

    for (let round = 0; round < 2; round += 1) {
      const gone = await server.call('/api/v1/account/avatar', { method: 'DELETE', token: user.token })
      expect(gone.status).toBe(204)
    }
    expect((await fetch(server.url + second.avatarUrl)).status).toBe(404)
    expect(await readProfile(user.id)).toBeNull()
  })

  it('goes before a provider’s picture, which comes back when it is gone', async () => {
    const user = await createSignedIn()
    const say = (url: string) =>
      server.client.query(
        `update auth.users set raw_user_meta_data = raw_user_meta_data || jsonb_build_object('avatar_url', $2::text) where id = $1`,
        [user.id, url],
      )
    await say('https://pictures.example/ada.png')
    const { avatarUrl } = (await (await put(user.token, { mime: 'image/png', data: png })).json()) as {
      avatarUrl: string
    }
    await say('https://pictures.example/ada-2.png')
    expect(await readProfile(user.id)).toBe(avatarUrl)
    await server.call('/api/v1/account/avatar', { method: 'DELETE', token: user.token })
    expect(await readProfile(user.id)).toBe('https://pictures.example/ada-2.png')
    await say('javascript:alert(1)')
    expect(await readProfile(user.id)).toBeNull()
  })

  it.each([
    ['an SVG', 'image/png', toBase64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', 'image/webp', toBase64('<!doctype html><script>alert(1)</script>')],
    ['a GIF', 'image/png', toBase64('GIF89a\x01\x00\x01\x00\x80\x00\x00')],
    ['a PNG that says JPEG', 'image/jpeg', png],
    ['a sound in a WebP’s clothes', 'image/webp', toBase64('RIFF\x24\x00\x00\x00WAVEfmt ')],
    ['a type that is none of the three', 'image/svg+xml', png],
    ['what is not base64', 'image/png', '%%%%'],
    ['base64 of another alphabet', 'image/png', `${png.slice(0, -4)}-_==`],
    [
      'one byte too many',
      'image/png',
      Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(102_400)]).toString('base64'),
    ],
  ])('refuses %s by its field', async (_what, mime, data) => {
    const { token, id } = await createSignedIn()
    const answer = await put(token, { mime, data })
    expect(answer.status).toBe(400)
    const { fields } = (await answer.json()) as Problem
    expect(fields?.[0]?.path).toMatch(/^body\.(data|mime)/)
    expect(await readProfile(id)).toBeNull()
  })

  it('answers made-up addresses as ones that are gone', async () => {
    for (const id of [crypto.randomUUID(), 'x', '%00', '..%2f..', 'a'.repeat(500)]) {
      expect((await fetch(`${server.url}/api/v1/avatars/${id}`)).status).toBe(404)
    }
  })
})

describe('DELETE /api/v1/account', () => {
  const remove = (token: string, email: string) =>
    server.call('/api/v1/account', { method: 'DELETE', token, body: { email } })
  const count = async (query: string, id: string | undefined) => (await server.client.query(query, [id])).rowCount

  it('takes the account, its organisation with all that is in it, and every session', async () => {
    const user = await createSignedIn()
    const organizationId = user.organizationId ?? ''
    const project = await createProject(server.client, { organizationId })
    await createFeedback(server.client, { organizationId, projectId: project.id })
    expect((await remove(user.token, ` ${user.email.toUpperCase()} `)).status).toBe(204)
    expect(await count('select from auth.users where id = $1', user.id)).toBe(0)
    expect(await count('select from auth.sessions where user_id = $1', user.id)).toBe(0)
    expect(await count('select from organizations where id = $1', organizationId)).toBe(0)
    expect(await count('select from feedback where organization_id = $1', organizationId)).toBe(0)
    expect(await count("select from audit_log where actor_user_id = $1 and action = 'account.deleted'", user.id)).toBe(
      1,
    )
    expect((await remove(user.token, user.email)).status).toBe(401)
  })

  it('wants the account’s own address', async () => {
    const user = await createSignedIn()
    const answer = await remove(user.token, 'somebody@example.com')
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as Problem).fields?.[0]?.path).toBe('body.email')
    expect(await count('select from auth.users where id = $1', user.id)).toBe(1)
  })

  it('refuses the last owner of others, until somebody else is one; what they did stays in the history', async () => {
    const user = await createSignedIn({ organizationName: 'Acme' })
    const organizationId = user.organizationId ?? ''
    const colleague = await createSignedIn()
    await addMember(server.client, { organizationId, userId: colleague.id, role: 'member' })
    const project = await createProject(server.client, { organizationId })
    const item = await createFeedback(server.client, { organizationId, projectId: project.id })
    const address = `/api/v1/organizations/${organizationId}/feedback/${item.id}`
    await server.call(address, { method: 'PATCH', token: user.token, body: { status: 'open' } })

    const refused = await remove(user.token, user.email)
    expect(refused.status).toBe(409)
    expect((await refused.json()) as Problem).toMatchObject({
      code: 'last_owner',
      detail: expect.stringContaining('Acme'),
    })
    expect(await count('select from auth.users where id = $1', user.id)).toBe(1)

    await server.client.query(`update memberships set role = 'owner' where user_id = $1`, [colleague.id])
    expect((await remove(user.token, user.email)).status).toBe(204)
    const left = await server.call(address, { token: colleague.token })
    expect((await left.json()) as object).toMatchObject({ status: 'open' })
  })

  it('lets one of two owners go who leave at the same moment', async () => {
    const one = await createSignedIn()
    const two = await createSignedIn()
    const three = await createUser(server.client)
    const organizationId = one.organizationId ?? ''
    await addMember(server.client, { organizationId, userId: two.id, role: 'owner' })
    await addMember(server.client, { organizationId, userId: three.id, role: 'viewer' })
    const answers = await Promise.all([remove(one.token, one.email), remove(two.token, two.email)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(await count(`select from memberships where organization_id = $1 and role = 'owner'`, organizationId)).toBe(1)
  })

  it('hands the instance to nobody when its last superadmin leaves', async () => {
    await server.client.query('delete from app.superadmins')
    const newcomer = await createUser(server.client)
    expect(await count('select from app.superadmins where user_id = $1', newcomer.id)).toBe(0)
  })
})
