import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAuthServer } from '#server/features/auth/auth.service.ts'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
let secretKey: string
let token: string
let userId: string
beforeAll(async () => {
  server = await startAuthServer()
  secretKey = getAuthServer(server.auth).parts.keys.secretKey
  const account = { email: createAddress(), password }
  const made = await server.send('POST', '/auth/v1/admin/users', {
    key: secretKey,
    body: { ...account, email_confirm: true },
  })
  userId = made.body.id
  token = (await server.send('POST', '/auth/v1/token?grant_type=password', { body: account })).body.access_token
})
afterAll(() => server?.stop())

const routes: [string, (id: string) => string][] = [
  ['GET', () => '/admin/users'],
  ['POST', () => '/admin/users'],
  ['GET', (id) => `/admin/users/${id}`],
  ['PUT', (id) => `/admin/users/${id}`],
  ['DELETE', (id) => `/admin/users/${id}`],
  ['GET', () => '/admin/audit'],
  ['POST', () => '/admin/generate_link'],
  ['POST', () => '/invite'],
]

function call(method: string, path: string, options: Parameters<TestAuthServer['send']>[2] = {}) {
  const body = method === 'GET' ? {} : { body: options.body ?? { email: createAddress(), type: 'recovery' } }
  return server.send(method, `/auth/v1${path}`, { ...options, ...body })
}

async function signKey(claims: Record<string, unknown>, secret = 'x'.repeat(40)): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))
}

describe.each(routes)('%s %s', (method, path) => {
  it('needs a service-role key', async () => {
    const { publishableKey } = server.auth
    const forged = await signKey({ role: 'service_role' })
    const strangers: [string, Parameters<TestAuthServer['send']>[2], number, string | undefined][] = [
      ['no key', { key: null }, 401, undefined],
      ['no key but a bearer', { key: null, headers: { authorization: `Bearer ${secretKey}` } }, 401, undefined],
      ['a wrong key', { key: `${secretKey.slice(0, -1)}!` }, 401, undefined],
      ['a forged key', { key: forged }, 401, undefined],
      ['the publishable key', {}, 401, 'no_authorization'],
      ['it as bearer', { headers: { authorization: `Bearer ${publishableKey}` } }, 403, 'not_admin'],
      ['a user’s token', { headers: { authorization: `Bearer ${token}` } }, 403, 'not_admin'],
      ['a user’s token as key', { key: token }, 401, undefined],
      [
        'a user’s token beside the key',
        { key: secretKey, headers: { authorization: `Bearer ${token}` } },
        403,
        'not_admin',
      ],
      ['a forged bearer', { headers: { authorization: `Bearer ${forged}` } }, 403, 'bad_jwt'],
      ['garbage', { headers: { authorization: 'Bearer garbage' } }, 403, 'bad_jwt'],
      ['another scheme', { headers: { authorization: 'Basic eDp5' } }, 401, 'no_authorization'],
    ]
    for (const [name, options, status, code] of strangers) {
      const answer = await call(method, path(userId), options)
      expect(answer.status, name).toBe(status)
      if (code !== undefined) expect(answer.body.code, name).toBe(code)
      expect(answer.text, name).not.toContain('@example.com')
    }
    const who = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect(who.status).toBe(200)
  })

  it('handles hostile input without a server error', async () => {
    const key = secretKey
    for (const id of ['1', '%00', '..%2f..', "'--", 'a'.repeat(300), '%F0%9F%98%80', randomUUID()]) {
      const answer = await call(method, path(id), { key })
      expect(answer.status, id).toBeLessThan(500)
    }
    for (const query of [
      '?page=%00',
      '?page=999999999999999999999',
      '?per_page=1e3',
      '?filter=%25%5C_',
      '?sort=;--',
      '?query=action:%25%5C',
      '?query=__proto__:x',
      '?page[]=1',
    ]) {
      const answer = await call(method, path(randomUUID()) + query, { key })
      expect(answer.status, query).toBeLessThan(500)
    }
    if (method === 'GET') return
    const values = [
      null,
      true,
      0,
      1e308,
      [],
      {},
      [[[]]],
      '',
      ' ',
      '\0',
      '\ud800',
      '‮',
      'x'.repeat(100_000),
      '🙈'.repeat(40),
    ]
    const fields =
      'id aud role email phone password password_hash email_confirm phone_confirm user_metadata app_metadata ban_duration should_soft_delete type new_email data redirect_to'
    for (const field of fields.split(' ')) {
      for (const value of values) {
        const body = { email: createAddress(), type: 'signup', password, [field]: value }
        const answer = await call(method, path(randomUUID()), { key, body })
        expect(answer.status, `${field} = ${JSON.stringify(value).slice(0, 40)} → ${answer.text}`).toBeLessThan(500)
      }
    }
    const deep = `{"user_metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)},"email":"a@example.com"}`
    const proto =
      '{"__proto__":{"role":"x"},"user_metadata":{"__proto__":{"a":1},"constructor":{}},"data":{"__proto__":1}}'
    for (const body of ['', '{', 'null', '[]', '"x"', deep, proto, '1e999']) {
      const answer = await call(method, path(randomUUID()), { key, body })
      expect(answer.status, `${body.slice(0, 30)} → ${answer.text}`).toBeLessThan(500)
    }
    const large = await call(method, path(randomUUID()), { key, body: { email: 'x'.repeat(1_100_000) } })
    expect(large.status).toBe(413)
  })

  it('needs no bearer where the API key itself is a service-role key', async () => {
    const answer = await call(method, path(randomUUID()), { key: secretKey })
    expect([200, 404]).toContain(answer.status)
  })
})
