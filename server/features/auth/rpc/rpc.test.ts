import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Browser,
  createAddress,
  readClaims,
  type SendOptions,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
let first: Browser
let ada: { token: string; id: string; browser: Browser }
let bob: { token: string; id: string; browser: Browser }

async function describeUser(browser: Browser) {
  const { data } = await browser.auth.getSession()
  return { token: data.session?.access_token ?? '', id: data.session?.user.id ?? '', browser }
}

beforeAll(async () => {
  server = await startAuthServer()
  // The first user of an instance is its superadmin; the two after it are ordinary.
  first = await server.signUpConfirmed(createAddress())
  ada = await describeUser(await server.signUpConfirmed(createAddress()))
  bob = await describeUser(await server.signUpConfirmed(createAddress()))
})
afterAll(() => server?.stop())

function call(
  name: string,
  { token, method = 'POST', ...options }: SendOptions & { token?: string; method?: string } = {},
) {
  return server.send(method, `/rest/v1/rpc/${name}`, {
    ...options,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...options.headers },
  })
}

describe('POST /rest/v1/rpc', () => {
  it('answers rows as an array, in PostgREST’s own notation', async () => {
    const answer = await call('get_user_current_organization', { token: ada.token, body: { p_user_id: ada.id } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toHaveLength(1)
    expect(Object.keys(answer.body[0])).toEqual([
      'organization_id',
      'organization_name',
      'organization_slug',
      'organization_created_at',
      'organization_trial_ends_at',
      'organization_subscription_status',
      'organization_subscription_plan_id',
      'membership_user_id',
      'membership_role',
      'membership_joined_at',
    ])
    expect(answer.body[0].organization_created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/)
    const one = await call('get_user_organization_by_id', {
      token: ada.token,
      body: { p_org_id: answer.body[0].organization_id, p_user_id: ada.id },
    })
    expect(one.body).toEqual(answer.body)
  })

  it('answers a scalar as bare JSON', async () => {
    expect(await call('is_superadmin', { token: ada.token, body: { user_id: ada.id } })).toMatchObject({
      status: 200,
      text: 'false',
    })
    const { token, id } = await describeUser(first)
    expect((await call('is_superadmin', { token, body: { user_id: id } })).text).toBe('true')
  })

  it('returns nothing about another user', async () => {
    const mine = await call('get_user_current_organization', { token: ada.token, body: { p_user_id: ada.id } })
    const body = { p_org_id: mine.body[0].organization_id, p_user_id: ada.id }
    expect(await call('get_user_organization_by_id', { token: bob.token, body })).toMatchObject({
      status: 200,
      body: [],
    })
    expect(
      (await call('get_user_current_organization', { token: bob.token, body: { p_user_id: ada.id } })).body,
    ).toEqual([])
    expect((await call('is_superadmin', { token: bob.token, body: { user_id: readClaims(bob.token).sub } })).text).toBe(
      'false',
    )
  })

  it('returns other organisations to a superadmin', async () => {
    const { token } = await describeUser(first)
    expect((await call('get_user_current_organization', { token, body: { p_user_id: ada.id } })).body).toHaveLength(1)
  })

  it('returns nothing to anonymous callers', async () => {
    for (const token of [undefined, server.auth.publishableKey]) {
      const answer = await call('is_superadmin', { body: { user_id: ada.id }, ...(token !== undefined && { token }) })
      expect(answer).toMatchObject({
        status: 401,
        body: { code: '42501', details: null, hint: null, message: 'permission denied for function is_superadmin' },
      })
    }
  })

  it.each([
    ['signed out', 'delete from auth.sessions where user_id = $1'],
    ['banned', `update auth.users set banned_until = now() + interval '1 hour' where id = $1`],
    ['deleted', 'delete from auth.users where id = $1'],
    ['deleted softly', 'update auth.users set deleted_at = now() where id = $1'],
  ])('answers 401 to the unexpired token of a user who is %s', async (_state, change) => {
    const user = await describeUser(await server.signUpConfirmed(createAddress()))
    await server.sql.query(change, [user.id])
    for (const [name, body] of [
      ['get_user_current_organization', { p_user_id: user.id }],
      ['is_superadmin', { user_id: user.id }],
    ] as const) {
      const reply = await call(name, { token: user.token, body })
      expect(reply).toMatchObject({
        status: 401,
        body: { code: 'PGRST301', details: null, hint: null, message: expect.stringContaining('session has ended') },
      })
      expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
  })

  it('works with the real client: rpc, get, single and maybeSingle', async () => {
    const rest = await ada.browser.rest()
    expect(await rest.rpc('is_superadmin', { user_id: ada.id })).toMatchObject({
      data: false,
      error: null,
      status: 200,
    })
    expect(await rest.rpc('is_superadmin', { user_id: ada.id }, { get: true })).toMatchObject({
      data: false,
      error: null,
    })
    const single = await rest.rpc('get_user_current_organization', { p_user_id: ada.id }).single()
    expect(single).toMatchObject({ error: null, data: { membership_user_id: ada.id } })
    const none = await rest.rpc('get_user_current_organization', { p_user_id: bob.id }).single()
    expect(none).toMatchObject({
      status: 406,
      error: {
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 0 rows',
      },
    })
    const maybe = await rest.rpc('get_user_current_organization', { p_user_id: bob.id }).maybeSingle()
    expect(maybe).toMatchObject({ data: null, error: null })
  })

  it.each<[string, string, unknown, number, string]>([
    ['an unknown function', 'pg_sleep', { seconds: 10 }, 404, 'PGRST202'],
    ['a parameter too few', 'get_user_organization_by_id', { p_user_id: 'x' }, 404, 'PGRST202'],
    ['a parameter too many', 'is_superadmin', { user_id: 'x', other: 1 }, 404, 'PGRST202'],
    ['no parameters', 'is_superadmin', undefined, 404, 'PGRST202'],
    ['text that is no id', 'is_superadmin', { user_id: 'abc' }, 400, '22P02'],
    ['a number', 'is_superadmin', { user_id: 7 }, 400, '22P02'],
    ['an object', 'is_superadmin', { user_id: { a: 1 } }, 400, '22P02'],
    ['broken JSON', 'is_superadmin', '{"user_id":', 400, 'PGRST102'],
    ['a list', 'is_superadmin', '[]', 400, 'PGRST102'],
    ['a NUL', 'is_superadmin', '{"user_id":"\\u0000"}', 400, 'PGRST102'],
    ['a lone surrogate', 'is_superadmin', '{"user_id":"\\ud800"}', 400, 'PGRST102'],
    ['a name that is SQL', 'is_superadmin(user_id);--', { user_id: 'x' }, 404, 'PGRST202'],
  ])('refuses %s', async (_name, name, body, status, code) => {
    const answer = await call(encodeURIComponent(name), { token: ada.token, ...(body !== undefined && { body }) })
    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body)).toEqual(['code', 'details', 'hint', 'message'])
    expect(answer.body.code).toBe(code)
  })

  it('names the function it could not find', async () => {
    const answer = await call('nothing', { token: ada.token, body: { b: 1, a: 2 } })
    expect(answer.body.message).toBe('Could not find the function public.nothing(a, b) in the schema cache')
  })

  it('accepts null as an id', async () => {
    expect((await call('get_user_current_organization', { token: ada.token, body: { p_user_id: null } })).body).toEqual(
      [],
    )
  })

  it('refuses an invalid and an expired token, with different errors', async () => {
    const bad = await call('is_superadmin', { token: 'a.b.c', body: { user_id: ada.id } })
    expect(bad).toMatchObject({ status: 401, body: { code: 'PGRST301' } })
    expect(bad.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
    const keys = server.auth.server?.parts.keys
    if (!keys) throw new Error('no keys')
    const expired = await new SignJWT({ ...readClaims(ada.token), exp: Math.floor(Date.now() / 1000) - 60 })
      .setProtectedHeader({ alg: 'ES256', kid: keys.current.kid, typ: 'JWT' })
      .sign(keys.current.privateKey)
    const late = await call('is_superadmin', { token: expired, body: { user_id: ada.id } })
    expect(late).toMatchObject({ status: 401, body: { code: 'PGRST303', message: 'JWT expired' } })
  })

  it('refuses another schema, another method and too much text', async () => {
    const profile = await call('is_superadmin', { token: ada.token, body: {}, headers: { 'content-profile': 'auth' } })
    expect(profile).toMatchObject({ status: 406, body: { code: 'PGRST106' } })
    expect(await call('is_superadmin', { token: ada.token, method: 'DELETE' })).toMatchObject({
      status: 405,
      body: { code: 'PGRST101' },
    })
    const large = await call('is_superadmin', { token: ada.token, body: { user_id: 'x'.repeat(1_100_000) } })
    expect(large.status).toBe(413)
  })

  it('accepts a long-lived key in the form of a token', async () => {
    const keys = server.auth.server?.parts.keys
    if (!keys) throw new Error('no keys')
    const sign = (role: string) =>
      new SignJWT({ role, iss: 'supabase' })
        .setProtectedHeader({ alg: 'ES256', kid: keys.current.kid, typ: 'JWT' })
        .setExpirationTime('10y')
        .sign(keys.current.privateKey)
    const anon = await sign('anon')
    expect((await server.send('GET', '/auth/v1/settings', { key: anon })).status).toBe(200)
    const service = await sign('service_role')
    expect((await call('is_superadmin', { key: service, token: service, body: { user_id: ada.id } })).text).toBe(
      'false',
    )
    expect((await server.send('GET', '/auth/v1/settings', { key: await sign('supabase_auth_admin') })).status).toBe(401)
    expect((await server.send('GET', '/auth/v1/settings', { key: ada.token })).status).toBe(401)
  })
})
