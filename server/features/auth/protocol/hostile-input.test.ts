import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
let token: string
beforeAll(async () => {
  server = await startAuthServer()
  const browser = await server.signUpConfirmed(createAddress())
  token = (await browser.auth.getSession()).data.session?.access_token ?? ''
})
afterAll(() => server?.stop())

const routes: [string, string, readonly string[]][] = [
  ['POST', '/auth/v1/signup', ['email', 'password', 'data', 'code_challenge', 'code_challenge_method', 'phone']],
  ['POST', '/auth/v1/resend', ['email', 'type', 'code_challenge', 'code_challenge_method']],
  ['POST', '/auth/v1/token?grant_type=password', ['email', 'password']],
  ['POST', '/auth/v1/token?grant_type=refresh_token', ['refresh_token']],
  ['POST', '/auth/v1/token?grant_type=pkce', ['auth_code', 'code_verifier']],
  ['POST', '/auth/v1/verify', ['type', 'token', 'token_hash', 'email']],
  ['POST', '/auth/v1/token?grant_type=id_token', ['provider', 'id_token', 'nonce']],
  ['POST', '/auth/v1/recover', ['email', 'code_challenge', 'code_challenge_method']],
  ['POST', '/auth/v1/otp', ['email', 'phone', 'data', 'create_user', 'code_challenge', 'code_challenge_method']],
  ['PUT', '/auth/v1/user', ['email', 'phone', 'password', 'current_password', 'nonce', 'data', 'code_challenge']],
  ['POST', '/auth/v1/invite', ['email', 'data']],
  [
    'POST',
    '/auth/v1/admin/users',
    [
      'id',
      'email',
      'phone',
      'password',
      'password_hash',
      'email_confirm',
      'user_metadata',
      'app_metadata',
      'ban_duration',
      'role',
    ],
  ],
  ['POST', '/auth/v1/admin/generate_link', ['type', 'email', 'new_email', 'password', 'data', 'redirect_to']],
  ['POST', '/auth/v1/logout', []],
  ['POST', '/rest/v1/rpc/is_superadmin', ['user_id']],
  ['POST', '/rest/v1/rpc/get_user_organization_by_id', ['p_org_id', 'p_user_id']],
]

const good: Record<string, unknown> = {
  email: 'hostile@example.com',
  password,
  type: 'signup',
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 's256',
  auth_code: 'x',
  code_verifier: 'v'.repeat(64),
  token: '123456',
}

const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  [],
  {},
  [[[]]],
  { toString: 1, valueOf: null },
  '',
  ' ',
  '\0',
  'a\0@example.com',
  '\ud800',
  '\udfff\ud800@example.com',
  '‮txt.exe',
  "'; drop table auth.users; --",
  '%00%ff',
  '{{7*7}}',
  'x'.repeat(1000),
  'x'.repeat(500_000),
  '<script>alert(1)</script>@example.com',
  'a@example.com\r\nBcc: b@example.com',
  '🙈'.repeat(40),
]

function isCalm(status: number): boolean {
  return status >= 200 && status < 500
}

async function post(method: string, path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  // A successful change would end the session that all of these use.
  const bearer = /admin|invite/.test(path) ? serviceKey() : path.includes('logout') ? 'x' : token
  return server.send(method, path, { body: body as string, headers: { authorization: `Bearer ${bearer}`, ...headers } })
}

function serviceKey(): string {
  return server.auth.server?.parts.keys.secretKey ?? ''
}

describe.each(routes)('%s %s', (method, path, fields) => {
  it('handles hostile values of every field without a server error', async () => {
    for (const field of fields) {
      for (const value of values) {
        const answer = await post(method, path, JSON.stringify({ ...pick(fields), [field]: value }))
        expect(
          isCalm(answer.status),
          `${field} = ${JSON.stringify(value).slice(0, 60)} → ${answer.status} ${answer.text}`,
        ).toBe(true)
      }
    }
  })

  it('handles broken bodies without a server error', async () => {
    const deep = 200_000
    const bodies: (string | Uint8Array)[] = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '1e999',
      '{"email":"a@example.com","email":"b@example.com"}',
      '{"__proto__":{"email":"a@example.com"},"constructor":{"prototype":{}}}',
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
      `{"data":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)},"email":"a@example.com","password":"123456"}`,
      new Uint8Array([0xff, 0xfe, 0x7b, 0x7d]),
      new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
      '\ufeff{}',
    ]
    for (const body of bodies) {
      const answer = await post(method, path, body)
      expect(isCalm(answer.status), `${String(body).slice(0, 60)} → ${answer.status} ${answer.text}`).toBe(true)
      expect(answer.text.length).toBeLessThan(2000)
    }
  })

  it('refuses more than a megabyte', async () => {
    const answer = await post(method, path, JSON.stringify({ email: 'x'.repeat(1_100_000) }))
    expect(answer.status).toBe(413)
  })

  it('accepts JSON under any content type, and none', async () => {
    const body = JSON.stringify({ ...pick(fields), email: 'malformed' })
    const usual = await post(method, path, body)
    for (const contentType of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'nonsense', '']) {
      const answer = await post(method, path, body, { 'content-type': contentType })
      expect(answer.status, `${contentType} → ${answer.status} ${answer.text}`).toBe(usual.status)
      expect(answer.text).toBe(usual.text)
    }
  })
})

function pick(fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in good).map((field) => [field, good[field]]))
}

describe('every route', () => {
  const fields = [...new Set(routes.flatMap(([, , names]) => names))]
  const short = values.filter((value) => JSON.stringify(value).length < 2000)

  it('handles hostile fields, parameters and path segments without a server error', async () => {
    for (const route of server.routes) {
      const [method = '', pattern = ''] = route.split(' ')
      if (method === 'HEAD' || method === 'OPTIONS') continue
      for (const value of short) {
        const text = String(value instanceof Object ? JSON.stringify(value) : value).toWellFormed()
        const path = pattern.replaceAll(/:\w+|\*/g, encodeURIComponent(text) || '%00')
        const everything = Object.fromEntries(fields.map((name) => [name, value]))
        // Signing out would end the session that the others use.
        for (const bearer of pattern.endsWith('/logout') ? ['x'] : [token, serviceKey()]) {
          const query = new URLSearchParams(fields.map((name) => [name, text]))
          const answer = await server.send(
            method,
            method === 'GET' ? `${path}?page=${text.slice(0, 20)}&${query}` : path,
            {
              headers: { authorization: `Bearer ${bearer}` },
              ...(method !== 'GET' && { body: JSON.stringify(everything) }),
            },
          )
          expect(isCalm(answer.status), `${route} ${text.slice(0, 60)} → ${answer.status} ${answer.text}`).toBe(true)
        }
      }
    }
    expect(server.routes.size).toBeGreaterThan(60)
  }, 120_000)
})

describe('addresses and headers', () => {
  const queries = [
    '?type=signup&token=%00',
    '?type=%00&token=x',
    '?type=signup&token=%ff%fe',
    '?type=signup&token=x&token=y&redirect_to=a&redirect_to=b',
    '?type=signup&token=%ED%A0%80',
    `?type=signup&token=${'x'.repeat(8000)}`,
    '?type[a]=b&token[]=c',
    '?__proto__=x&type=signup&token=x',
    '?type=signup&token=pkce_&redirect_to=javascript:alert(1)',
    '?type=signup&token=x&redirect_to=%0d%0aSet-Cookie:a=b',
    '?type=signup&token=x&redirect_to=//evil.example',
    '?type=signup&token=x&redirect_to=http://[::1',
    '?type=signup&token=x&redirect_to=%5C%5Cevil.example',
    '?%',
  ]

  it.each(queries)('GET /verify%s redirects to our own site only', async (query) => {
    const answer = await server.send('GET', `/auth/v1/verify${query}`, { key: null })
    expect(isCalm(answer.status)).toBe(true)
    const location = answer.headers.get('location')
    if (location !== null) expect(new URL(location).origin).toBe(server.url)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('handles odd headers without a server error', async () => {
    const odd: Record<string, string>[] = [
      { 'user-agent': 'x'.repeat(9000) },
      { 'user-agent': '' },
      { 'user-agent': '\u00ff\u0080' },
      { referer: 'http://[' },
      { redirect_to: 'javascript:alert(1)' },
      { authorization: 'Bearer' },
      { authorization: 'Basic eDp5' },
      { 'x-supabase-api-version': '9999-99-99' },
      { 'x-supabase-api-version': "'; --" },
      { 'x-forwarded-for': '<script>' },
      { 'content-profile': '\u00ff' },
    ]
    for (const headers of odd) {
      const body = { email: createAddress(), password }
      expect(isCalm((await server.send('POST', '/auth/v1/signup', { body, headers })).status)).toBe(true)
      expect(isCalm((await server.send('GET', '/auth/v1/user', { headers })).status)).toBe(true)
      expect(isCalm((await server.send('POST', '/rest/v1/rpc/is_superadmin', { body: {}, headers })).status)).toBe(true)
    }
  })

  it('handles a truncated body', async () => {
    const url = new URL('/auth/v1/signup', server.url)
    await new Promise<void>((resolve) => {
      const cut = request(url, {
        method: 'POST',
        headers: { apikey: server.auth.publishableKey, 'content-length': '500', 'content-type': 'application/json' },
      })
      cut.on('error', () => resolve())
      cut.write('{"email":')
      setTimeout(() => cut.destroy(), 100)
    })
    expect((await server.send('GET', '/auth/v1/health')).status).toBe(200)
  })

  it('keeps user metadata out of the server’s own decisions', async () => {
    const email = createAddress()
    const data = JSON.parse(
      '{"__proto__":{"role":"service_role"},"role":"service_role","sub":"x","email":"other@example.com","email_verified":true,"is_superadmin":true}',
    )
    const { body } = await server.send('POST', '/auth/v1/signup', { body: { email, password, data } })
    expect(body).toMatchObject({
      email,
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
    })
    expect(body.user_metadata).toMatchObject({ sub: body.id, email, email_verified: false })
    expect(body).not.toHaveProperty('email_confirmed_at')
  })
})
