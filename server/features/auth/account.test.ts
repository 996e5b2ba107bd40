import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addMember,
  type BuiltUser,
  builtPassword,
  createFeedback,
  createMember,
  createProject,
  createUser,
} from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  // The first account runs the instance, and may do everything.
  await createUser(server.client)
})

afterAll(() => server?.stop())

async function createSignedIn(): Promise<BuiltUser & { token: string }> {
  const user = await createUser(server.client)
  return { ...user, token: await server.signIn(user) }
}

async function count(query: string, id: string | undefined): Promise<number> {
  const { rows } = await server.client.query<{ count: number }>(`select count(*)::int as count from ${query}`, [id])
  return rows[0]?.count ?? -1
}

const countOpen = (organizationId: string | undefined) =>
  count('organizations where id = $1 and (delete_after is null or delete_after > now())', organizationId)

describe('GET /api/v1/account', () => {
  it('returns the name and email, and whether there is a password', async () => {
    const { token, email, id } = await createSignedIn()
    const read = async () => (await (await server.call('/api/v1/account', { token })).json()) as object
    expect(await read()).toEqual({ fullName: 'Ada Example', email, avatarUrl: null, hasPassword: true })
    await server.client.query(`update auth.users set encrypted_password = '' where id = $1`, [id])
    expect(await read()).toMatchObject({ hasPassword: false })
  })
})

describe('/api/v1/account/sessions', () => {
  it('lists the caller’s devices and signs one out, effective from its next call', async () => {
    const user = await createSignedIn()
    const other = await server.signIn(user)
    const reply = await server.call('/api/v1/account/sessions', { token: user.token })
    const { sessions } = (await reply.json()) as { sessions: { id: string; isCurrent: boolean }[] }
    expect(sessions.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, true])
    const ended = sessions.find(({ isCurrent }) => !isCurrent)?.id
    const end = () => server.call(`/api/v1/account/sessions/${ended}`, { method: 'DELETE', token: user.token })
    expect((await end()).status).toBe(204)
    expect((await server.call('/api/v1/account', { token: other })).status).toBe(401)
    expect((await server.call('/api/v1/account', { token: user.token })).status).toBe(200)
  })

  it('treats another person’s device as not found', async () => {
    const [user, victim] = [await createSignedIn(), await createSignedIn()]
    const { rows } = await server.client.query<{ id: string }>('select id from auth.sessions where user_id = $1', [
      victim.id,
    ])
    for (const id of [rows[0]?.id, crypto.randomUUID()]) {
      const reply = await server.call(`/api/v1/account/sessions/${id}`, { method: 'DELETE', token: user.token })
      expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'session_not_found' }])
    }
    expect((await server.call('/api/v1/account', { token: victim.token })).status).toBe(200)
  })
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('/api/v1/account/avatar', () => {
  const put = (token: string, mime: string, data: string) =>
    server.call('/api/v1/account/avatar', { method: 'PUT', token, body: { mime, data } })
  const readUrl = async (id: string) =>
    (await server.client.query('select avatar_url from profiles where user_id = $1', [id])).rows[0]?.avatar_url

  it('stores a picture, serves it only as a picture, and removes it', async () => {
    const user = await createSignedIn()
    const reply = await put(user.token, 'image/png', png.toString('base64'))
    const { avatarUrl } = (await reply.json()) as { avatarUrl: string }
    expect(await readUrl(user.id)).toBe(avatarUrl)
    const picture = await fetch(server.url + avatarUrl)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('cache-control')).toContain('immutable')
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
    expect(picture.headers.get('content-security-policy')).toContain('sandbox')

    const remove = () => server.call('/api/v1/account/avatar', { method: 'DELETE', token: user.token })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
    expect(await readUrl(user.id)).toBeNull()
    expect((await fetch(server.url + avatarUrl)).status).toBe(404)
  })

  it('replaces a provider’s picture, which is shown again after removal', async () => {
    const user = await createSignedIn()
    const theirs = 'https://pictures.example/ada.png'
    await put(user.token, 'image/png', png.toString('base64'))
    await server.client.query(
      `update auth.users set raw_user_meta_data = raw_user_meta_data || jsonb_build_object('avatar_url', $2::text) where id = $1`,
      [user.id, theirs],
    )
    expect(await readUrl(user.id)).toMatch(/^\/api\/v1\/avatars\//)
    await server.call('/api/v1/account/avatar', { method: 'DELETE', token: user.token })
    expect(await readUrl(user.id)).toBe(theirs)
  })

  it('has a new URL for each picture, and ignores a provider’s URL that is not https', async () => {
    const user = await createSignedIn()
    const choose = async () => {
      const reply = await put(user.token, 'image/png', png.toString('base64'))
      return ((await reply.json()) as { avatarUrl: string }).avatarUrl
    }
    const [first, second] = [await choose(), await choose()]
    expect(second).not.toBe(first)
    expect((await fetch(server.url + first)).status).toBe(404)
    for (const id of [crypto.randomUUID(), 'x', '%00', '..%2f..', 'a'.repeat(500)]) {
      expect((await fetch(`${server.url}/api/v1/avatars/${id}`)).status).toBe(404)
    }
    await server.call('/api/v1/account/avatar', { method: 'DELETE', token: user.token })
    await server.client.query(
      `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"avatar_url": "javascript:alert(1)"}' where id = $1`,
      [user.id],
    )
    expect(await readUrl(user.id)).toBeNull()
  })

  const big = Buffer.concat([png.subarray(0, 33), Buffer.alloc(101 * 1024), png.subarray(-12)])
  it.each([
    ['an SVG', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>').toString('base64')],
    ['a page', 'image/jpeg', Buffer.from('<!doctype html><script>alert(1)</script>').toString('base64')],
    ['a GIF', 'image/png', Buffer.from('GIF89a\u0001\u0000\u0001\u0000').toString('base64')],
    ['a PNG called WebP', 'image/webp', png.toString('base64')],
    ['a picture that breaks off', 'image/png', png.subarray(0, 40).toString('base64')],
    ['a picture with a page behind it', 'image/png', Buffer.concat([png, Buffer.from('<html>')]).toString('base64')],
    ['101 kB', 'image/png', big.toString('base64')],
    ['no base64', 'image/png', `${png.toString('base64').slice(0, -2)}!!`],
  ])('refuses %s', async (_, mime, data) => {
    const user = await createSignedIn()
    const reply = await put(user.token, mime, data)
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { code: 'validation_failed', fields: [{ path: 'body.data' }] },
    ])
    expect(await count('avatars where user_id = $1', user.id)).toBe(0)
  })
})

describe('DELETE /api/v1/account', () => {
  const remove = (user: { token: string }, email: string) =>
    server.call('/api/v1/account', { method: 'DELETE', token: user.token, body: { email } })

  it('deletes the person’s own organisations, and ends every session', async () => {
    const user = await createSignedIn()
    const organizationId = user.organizationId ?? ''
    const project = await createProject(server.client, { organizationId })
    await createFeedback(server.client, { organizationId, projectId: project.id })
    const wrong = await remove(user, 'other@example.com')
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { fields: [{ path: 'body.email' }] }])
    expect((await remove(user, user.email.toUpperCase())).status).toBe(204)
    expect((await server.call('/api/v1/account', { token: user.token })).status).toBe(401)
    expect(await count('auth.users where id = $1', user.id)).toBe(0)
    // Closed without grace; a job deletes its rows.
    expect(await countOpen(organizationId)).toBe(0)
    expect(await count(`graphile_worker.jobs where key = 'remove_organization:' || $1`, organizationId)).toBe(1)
  })

  it('requires a password or a code from an email within the last 10 minutes', async () => {
    const user = await createSignedIn()
    const age = (seconds: number, method: string) =>
      server.client.query(
        `update auth.mfa_amr_claims c set created_at = now() - make_interval(secs => $2), authentication_method = $3
         from auth.sessions s where s.id = c.session_id and s.user_id = $1`,
        [user.id, seconds, method],
      )
    const refresh = async () => {
      const reply = await server.call('/auth/v1/token?grant_type=refresh_token', {
        method: 'POST',
        body: { refresh_token: refreshToken },
      })
      const session = (await reply.json()) as { access_token: string; refresh_token: string }
      refreshToken = session.refresh_token
      return session.access_token
    }
    const signedIn = await server.call('/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: { email: user.email, password: builtPassword },
    })
    let refreshToken = ((await signedIn.json()) as { refresh_token: string }).refresh_token
    // A refresh renews the token, not the proof; nor does a provider's sign-in ask for one.
    for (const [seconds, method] of [
      [601, 'password'],
      [601, 'otp'],
      [40 * 86_400, 'password'],
      [1, 'oauth'],
    ] as const) {
      await age(seconds, method)
      const reply = await remove({ token: await refresh() }, user.email)
      expect([seconds, method, reply.status, await reply.json()]).toMatchObject([
        seconds,
        method,
        403,
        { code: 'identity_proof_required' },
      ])
    }
    expect(await count('auth.users where id = $1', user.id)).toBe(1)
    await age(540, 'otp')
    expect((await remove({ token: await refresh() }, user.email)).status).toBe(204)
  })

  it('names beforehand the organisations that end, with their contents, and those that block it', async () => {
    const user = await createUser(server.client, { organizationName: 'Ends With Me' })
    const organizationId = user.organizationId ?? ''
    const project = await createProject(server.client, { organizationId })
    for (let index = 0; index < 3; index += 1) {
      await createFeedback(server.client, { organizationId, projectId: project.id })
    }
    const token = await server.signIn(user)
    const read = async () => (await server.call('/api/v1/account/losses', { token })).json()
    expect(await read()).toEqual({
      organizations: [{ name: 'Ends With Me', projects: 1, items: 3 }],
      blockedBy: [],
      limit: 10_000,
    })
    await createMember(server.client, { organizationId, role: 'member' })
    expect(await read()).toMatchObject({ organizations: [], blockedBy: ['Ends With Me'] })
  })

  it('refuses the last owner of an organisation with other members, and names it', async () => {
    const user = await createUser(server.client, { organizationName: 'Difference Engines' })
    await createMember(server.client, { organizationId: user.organizationId ?? '', role: 'admin' })
    const reply = await remove({ token: await server.signIn(user) }, user.email)
    const problem = (await reply.json()) as { detail: string }
    expect([reply.status, problem]).toMatchObject([409, { code: 'last_owner' }])
    expect(problem.detail).toContain('Difference Engines')
    expect(await count('auth.users where id = $1', user.id)).toBe(1)
  })

  it('keeps other organisations complete, with the person’s contributions', async () => {
    const host = await createUser(server.client)
    const organizationId = host.organizationId ?? ''
    const project = await createProject(server.client, { organizationId })
    const item = await createFeedback(server.client, { organizationId, projectId: project.id })
    const user = await createSignedIn()
    await addMember(server.client, { organizationId, userId: user.id, role: 'member' })
    const changed = await server.call(`/api/v1/organizations/${organizationId}/feedback/${item.id}`, {
      method: 'PATCH',
      token: user.token,
      body: { status: 'open', viewed: true },
    })
    expect(changed.status).toBe(200)
    expect((await remove(user, user.email)).status).toBe(204)
    expect(await count('feedback where organization_id = $1', organizationId)).toBe(1)
    expect(await count('feedback_events where actor_user_id = $1', user.id)).toBeGreaterThan(0)
    const seen = await server.call(`/api/v1/organizations/${organizationId}/feedback/${item.id}`, {
      token: await server.signIn(host),
    })
    expect(seen.status).toBe(200)
  })

  it('can be requested twice at once', async () => {
    const user = await createSignedIn()
    const replies = await Promise.all([remove(user, user.email), remove(user, user.email)])
    for (const { status } of replies) expect([204, 401]).toContain(status)
    expect(await countOpen(user.organizationId)).toBe(0)
  })

  it('keeps one owner when the only two leave at once', async () => {
    const user = await createSignedIn()
    const organizationId = user.organizationId ?? ''
    const second = await createMember(server.client, { organizationId, role: 'owner' })
    await createMember(server.client, { organizationId, role: 'viewer' })
    const other = { ...second, token: await server.signIn(second) }
    const replies = await Promise.all([remove(user, user.email), remove(other, other.email)])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(await count(`memberships where organization_id = $1 and role = 'owner'`, organizationId)).toBe(1)
  })

  it('makes no one else superadmin when the last one leaves', async () => {
    await server.client.query('delete from app.superadmins')
    const newcomer = await createUser(server.client)
    expect(await count('app.superadmins where user_id = $1', newcomer.id)).toBe(0)
  })
})
