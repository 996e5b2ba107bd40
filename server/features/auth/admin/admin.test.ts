import { randomUUID } from 'node:crypto'
import { GoTrueAdminApi } from '@supabase/auth-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAuthServer } from '#server/features/auth/auth.service.ts'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'
import { createMember } from '#server/testing/builders.ts'

let server: TestAuthServer
let admin: GoTrueAdminApi
let secretKey: string
beforeAll(async () => {
  server = await startAuthServer()
  secretKey = getAuthServer(server.auth).parts.keys.secretKey
  admin = new GoTrueAdminApi({
    url: `${server.url}/auth/v1`,
    headers: { apikey: secretKey, Authorization: `Bearer ${secretKey}` },
  })
})
afterAll(() => server?.stop())

async function createUser(attributes: Parameters<GoTrueAdminApi['createUser']>[0] = {}) {
  const { data, error } = await admin.createUser({
    email: createAddress(),
    password,
    email_confirm: true,
    ...attributes,
  })
  if (error) throw error
  return { ...data.user, email: data.user.email ?? '' }
}

async function signIn(email: string, secret = password) {
  const browser = server.openBrowser()
  const { data, error } = await browser.auth.signInWithPassword({ email, password: secret })
  return { browser, error, token: data.session?.access_token ?? '', user: data.user }
}

async function findActions(userId: string): Promise<string[]> {
  const { rows } = await server.sql.query<{ action: string }>(
    `select payload ->> 'action' as action from auth.audit_log_entries
     where payload -> 'traits' ->> 'user_id' = $1 and payload ->> 'actor_username' = 'service_role' order by created_at`,
    [userId],
  )
  return rows.map(({ action }) => action)
}

describe('POST /admin/users', () => {
  it('creates an account that can sign in, with the given data', async () => {
    const [email, id] = [createAddress(), randomUUID()]
    const { data, error } = await admin.createUser({
      id,
      email: email.toUpperCase(),
      password,
      email_confirm: true,
      user_metadata: { full_name: 'Grace Hopper', organization_name: 'Navy' },
      app_metadata: { plan: 'gold' },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      id,
      email,
      aud: 'authenticated',
      role: 'authenticated',
      user_metadata: { full_name: 'Grace Hopper', email_verified: true },
      app_metadata: { provider: 'email', providers: ['email'], plan: 'gold' },
      identities: [{ provider: 'email', id, email, identity_data: { sub: id, email, email_verified: true } }],
    })
    const { browser, error: refusal } = await signIn(email)
    expect(refusal).toBeNull()
    const organization = await (await browser.rest()).rpc('get_user_current_organization', { p_user_id: id })
    expect(organization.data).toMatchObject([{ organization_name: 'Navy', membership_role: 'owner' }])
    expect(await findActions(id)).toEqual(['user_signedup'])
  })

  it('leaves the address unconfirmed, and sets no password, by default', async () => {
    const { data } = await admin.createUser({ email: createAddress() })
    expect(data.user).not.toHaveProperty('email_confirmed_at')
    const { error } = await signIn(data.user?.email ?? '', '')
    expect(error?.code).toBe('invalid_credentials')
  })

  it('creates one account per address, also with two requests at a time', async () => {
    const email = createAddress()
    const both = await Promise.all([1, 2, 3, 4].map(() => admin.createUser({ email: email.toUpperCase(), password })))
    expect(both.filter(({ error }) => error === null)).toHaveLength(1)
    for (const { error } of both.filter((each) => each.error)) {
      expect(error).toMatchObject({
        status: 422,
        code: 'email_exists',
        message: 'A user with this email address has already been registered',
      })
    }
  })

  it('refuses a taken or invalid id', async () => {
    const { id } = await createUser()
    const taken = await admin.createUser({ id, email: createAddress() })
    expect(taken.error).toMatchObject({ status: 422, code: 'user_already_exists' })
    for (const bad of ['1', 'x'.repeat(36), '00000000-0000-0000-0000-000000000000']) {
      const { error } = await admin.createUser({ id: bad, email: createAddress() })
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' })
    }
  })

  it('refuses unsupported fields instead of ignoring them', async () => {
    const refused: [Record<string, unknown>, string][] = [
      [{}, 'validation_failed'],
      [{ email: 'no-address' }, 'validation_failed'],
      [{ email: createAddress(), password: '12345' }, 'weak_password'],
      [{ email: createAddress(), password: 'x'.repeat(73) }, 'validation_failed'],
      [{ email: createAddress(), password, password_hash: 'x' }, 'validation_failed'],
      [{ email: createAddress(), password_hash: 'x' }, 'validation_failed'],
      [{ email: createAddress(), password_hash: `$2b$31$${'a'.repeat(53)}` }, 'validation_failed'],
      [{ email: createAddress(), phone: '+491701234567' }, 'phone_provider_disabled'],
      [{ email: createAddress(), role: 'service_role' }, 'validation_failed'],
      [{ email: createAddress(), aud: 'other' }, 'validation_failed'],
      [{ email: createAddress(), email_confirm: 'yes' }, 'validation_failed'],
      [{ email: createAddress(), ban_duration: 'long' }, 'validation_failed'],
      [{ email: createAddress(), user_metadata: { x: 'x'.repeat(5000) } }, 'validation_failed'],
      [{ email: createAddress(), app_metadata: [] }, 'validation_failed'],
    ]
    for (const [attributes, code] of refused) {
      const { data, error } = await admin.createUser(attributes)
      expect(error?.code, JSON.stringify(attributes).slice(0, 80)).toBe(code)
      expect(error?.status).toBeLessThan(500)
      expect(data.user).toBeNull()
    }
  })
})

describe('GET, PUT and DELETE /admin/users/{id}', () => {
  it('finds no account by an unknown id', async () => {
    const id = randomUUID()
    for (const answer of [
      await admin.getUserById(id),
      await admin.updateUserById(id, { password: 'x' }),
      await admin.deleteUser(id),
    ]) {
      expect(answer.error).toMatchObject({ status: 404, code: 'user_not_found', message: 'User not found' })
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await server.send(method, '/auth/v1/admin/users/1', {
        key: secretKey,
        ...(method !== 'GET' && { body: {} }),
      })
      expect(answer).toMatchObject({ status: 404, body: { code: 'validation_failed' } })
    }
  })

  it('changes the given fields only', async () => {
    const user = await createUser({
      user_metadata: { full_name: 'Ada', city: 'London' },
      app_metadata: { plan: 'gold' },
    })
    const { data, error } = await admin.updateUserById(user.id, {
      user_metadata: { city: null, team: 'blue' },
      app_metadata: { seats: 3 },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      user_metadata: { full_name: 'Ada', team: 'blue', email_verified: true },
      app_metadata: { provider: 'email', plan: 'gold', seats: 3 },
    })
    expect(data.user?.user_metadata).not.toHaveProperty('city')
    expect((await admin.getUserById(user.id)).data.user).toEqual(data.user)
    expect((await signIn(user.email)).error).toBeNull()
    expect(await findActions(user.id)).toEqual(['user_signedup', 'user_modified'])
  })

  it('sets a new address, confirmed or not, unless it is taken', async () => {
    const [user, other, email] = [await createUser(), await createUser(), createAddress()]
    const taken = await admin.updateUserById(user.id, { email: other.email, user_metadata: { x: 1 } })
    expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' })
    expect((await admin.getUserById(user.id)).data.user?.user_metadata).not.toHaveProperty('x')
    const moved = await admin.updateUserById(user.id, { email, email_confirm: true })
    expect((await server.mails.waitForMail(user.email)).subject).toContain('email address was changed')
    expect(moved.data.user).toMatchObject({ email, identities: [{ email, identity_data: { email_verified: true } }] })
    expect((await signIn(email)).error).toBeNull()
    expect((await signIn(user.email)).error?.code).toBe('invalid_credentials')
    const { rows } = await server.sql.query('select email from public.profiles where user_id = $1', [user.id])
    expect(rows).toEqual([{ email }])
  })

  it('ends every session with a new password', async () => {
    const user = await createUser()
    const { browser, token } = await signIn(user.email)
    expect((await admin.updateUserById(user.id, { password: 'another horse' })).error).toBeNull()
    const old = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect(old).toMatchObject({ status: 403, body: { code: 'session_not_found' } })
    expect((await browser.auth.refreshSession()).error).not.toBeNull()
    expect((await signIn(user.email)).error?.code).toBe('invalid_credentials')
    expect((await signIn(user.email, 'another horse')).error).toBeNull()
    expect((await server.mails.waitForMail(user.email)).subject).toContain('password was changed')
    const weak = await admin.updateUserById(user.id, { password: '12345' })
    expect(weak.error?.code).toBe('weak_password')
  })

  it('invalidates links emailed before the address or the password changed', async () => {
    const { data } = await server.openBrowser().auth.signUp({ email: createAddress(), password })
    const id = data.user?.id ?? ''
    await admin.updateUserById(id, { email: createAddress() })
    const { rows } = await server.sql.query('select from auth.one_time_tokens where user_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('bans immediately, for the given duration, and lifts the ban', async () => {
    const user = await createUser()
    const { browser, token } = await signIn(user.email)
    const before = Date.now()
    const banned = await admin.updateUserById(user.id, { ban_duration: '1h30m' })
    const until = new Date(banned.data.user?.banned_until ?? 0).getTime()
    expect(until - before).toBeGreaterThanOrEqual(90 * 60_000 - 5)
    expect(until - before).toBeLessThan(91 * 60_000)
    const who = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect(who).toMatchObject({ status: 403, body: { code: 'user_banned' } })
    expect((await browser.auth.refreshSession()).error?.code).toBe('user_banned')
    const rows = await (await browser.rest()).rpc('get_user_current_organization', { p_user_id: user.id })
    expect(rows.data ?? []).toEqual([])
    expect((await signIn(user.email)).error?.code).toBe('user_banned')
    const free = await admin.updateUserById(user.id, { ban_duration: 'none' })
    expect(free.data.user).not.toHaveProperty('banned_until')
    expect((await signIn(user.email)).error).toBeNull()
  })

  it('deletes an account with its sessions', async () => {
    const user = await createUser()
    const { token } = await signIn(user.email)
    const { data, error } = await admin.deleteUser(user.id)
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ id: user.id, email: user.email })
    expect((await admin.getUserById(user.id)).error?.code).toBe('user_not_found')
    const who = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect(who).toMatchObject({ status: 403, body: { code: 'user_not_found' } })
    expect((await signIn(user.email)).error?.code).toBe('invalid_credentials')
    expect(await findActions(user.id)).toEqual(['user_signedup', 'user_deleted'])
  })

  it('deletes softly: the id stays, personal data is removed and the address is free', async () => {
    const user = await createUser({ user_metadata: { full_name: 'Ada' } })
    const { token } = await signIn(user.email)
    expect((await admin.deleteUser(user.id, true)).error).toBeNull()
    const left = (await admin.getUserById(user.id)).data.user
    expect(left).toMatchObject({ id: user.id, deleted_at: expect.any(String), user_metadata: {}, app_metadata: {} })
    expect(JSON.stringify(left)).not.toContain(user.email)
    const who = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect(who.status).toBe(403)
    expect((await admin.updateUserById(user.id, { password })).error?.code).toBe('user_not_found')
    expect((await admin.deleteUser(user.id, true)).error).toBeNull()
    expect((await createUser({ email: user.email })).id).not.toBe(user.id)
    expect((await admin.deleteUser(user.id)).error).toBeNull()
    expect((await admin.getUserById(user.id)).error?.code).toBe('user_not_found')
  })

  it('keeps the last owner of an organisation that has other members', async () => {
    const user = await createUser()
    const { rows } = await server.sql.query('select organization_id from public.memberships where user_id = $1', [
      user.id,
    ])
    const member = await createMember(server.sql as never, { organizationId: rows[0].organization_id, role: 'member' })
    const { token } = await signIn(user.email)
    for (const isSoft of [false, true]) {
      const { error } = await admin.deleteUser(user.id, isSoft)
      expect(error).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('only owner') })
    }
    const who = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect(who).toMatchObject({ status: 200, body: { email: user.email } })
    expect(await findActions(user.id)).toEqual(['user_signedup'])
    await server.sql.query(`update public.memberships set role = 'owner' where user_id = $1`, [member.id])
    expect((await admin.deleteUser(user.id)).error).toBeNull()
  })

  it('handles a deletion during sign-ins', async () => {
    for (let round = 0; round < 3; round += 1) {
      const user = await createUser()
      const signIns = Array.from({ length: 4 }, () =>
        server.send('POST', '/auth/v1/token?grant_type=password', { body: { email: user.email, password } }),
      )
      const gone = await admin.deleteUser(user.id)
      expect(gone.error).toBeNull()
      for (const { status } of await Promise.all(signIns)) expect([200, 400]).toContain(status)
      const { rows } = await server.sql.query('select from auth.sessions where user_id = $1', [user.id])
      expect(rows).toEqual([])
    }
  })
})

describe('signing an account out', () => {
  it('ends the sessions that the token’s scope names', async () => {
    const user = await createUser()
    const [one, two] = [await signIn(user.email), await signIn(user.email)]
    expect((await admin.signOut(one.token, 'others')).error).toBeNull()
    expect((await two.browser.auth.getUser()).error).not.toBeNull()
    expect((await one.browser.auth.getUser()).error).toBeNull()
    expect((await admin.signOut(one.token)).error).toBeNull()
    expect((await one.browser.auth.getUser()).error).not.toBeNull()
  })
})
