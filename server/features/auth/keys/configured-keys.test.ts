import { createHmac, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'
import { startTestServer } from '#server/testing/server.ts'
import { deriveApiKey } from './api-keys.ts'

const secret = 'a shared secret of more than thirty-two bytes'

// A name of its own: the client keeps published keys by name, for all servers of one process.
async function makeRsaKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 })
  return JSON.stringify([
    { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', key_ops: ['sign', 'verify'] },
  ])
}

/** A key as Supabase makes them from a project's JWT secret. */
function signByHand(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: 'supabase', ref: 'abc', iat: 1, ...claims })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

describe.each<[string, () => Promise<Record<string, string>>, string, number]>([
  ['ES256, made at the first start', async () => ({}), 'ES256', 1],
  ['RS256', async () => ({ GOTRUE_JWT_KEYS: await makeRsaKeys() }), 'RS256', 1],
  ['HS256, by a shared secret alone', async () => ({ GOTRUE_JWT_SECRET: secret }), 'HS256', 0],
  [
    'RS256, beside a shared secret',
    async () => ({ GOTRUE_JWT_KEYS: await makeRsaKeys(), GOTRUE_JWT_SECRET: secret }),
    'RS256',
    1,
  ],
])('the real client with %s', (_name, makeEnv, algorithm, publishedKeys) => {
  let server: TestAuthServer
  let hasSecret: boolean
  beforeAll(async () => {
    const env = await makeEnv()
    hasSecret = 'GOTRUE_JWT_SECRET' in env
    server = await startAuthServer(env)
  })
  afterAll(() => server?.stop())

  it('signs up, in and out, refreshes, reads its claims and calls functions', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const browser = server.openBrowser()
    const { data, error } = await browser.auth.signInWithPassword({ email, password })
    expect(error).toBeNull()
    const header = JSON.parse(Buffer.from(data.session?.access_token.split('.')[0] ?? '', 'base64url').toString())
    expect(header.alg).toBe(algorithm)
    const claims = await browser.auth.getClaims()
    expect(claims).toMatchObject({ error: null, data: { claims: { email } } })
    expect((await browser.auth.refreshSession()).error).toBeNull()
    const rest = await browser.rest()
    expect(await rest.rpc('is_superadmin', { user_id: data.user?.id })).toMatchObject({ error: null, data: true })
    expect((await browser.auth.signOut({ scope: 'local' })).error).toBeNull()
  })

  it('publishes the public halves only', async () => {
    const { body, text, headers } = await server.send('GET', '/auth/v1/.well-known/jwks.json', { key: null })
    expect(body.keys).toHaveLength(publishedKeys)
    expect(headers.get('cache-control')).toBe('public, max-age=600')
    expect(text).not.toMatch(/"(d|p|q|dp|dq|qi|k)":/)
  })

  it('accepts the keys of a Supabase that signed with the configured secret, until they expire', async () => {
    const keys: [string, boolean][] = [
      [signByHand({ role: 'anon', exp: 4_000_000_000 }), hasSecret],
      [signByHand({ role: 'service_role', exp: 4_000_000_000 }), hasSecret],
      [signByHand({ role: 'anon', exp: 1_000_000_000 }), false],
      [signByHand({ role: 'postgres', exp: 4_000_000_000 }), false],
    ]
    for (const [key, isGood] of keys) {
      expect((await server.send('GET', '/auth/v1/settings', { key })).status).toBe(isGood ? 200 : 401)
    }
    const [, [service] = ['']] = keys
    const headers = { authorization: `Bearer ${service}` }
    expect((await server.send('GET', '/auth/v1/admin/users', { headers })).status).toBe(hasSecret ? 200 : 403)
  })

  it('refuses every hostile API key, as header, parameter or bearer, without failing', async () => {
    const hostile = [
      "' or 1=1 --",
      'Bearer x',
      'a.b.c',
      '..',
      'eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.',
      '{"role":"service_role"}',
      'x'.repeat(7_000),
      'sb_secret_',
      'sb_publishable_AAAAAAAAAAAAAAAAAAAAAA_AAAAAAAA',
      '\u00ff\u00fe',
      '__proto__',
    ]
    for (const key of hostile) {
      expect((await server.send('GET', '/auth/v1/settings', { key })).status, key.slice(0, 50)).toBe(401)
      const path = `/auth/v1/settings?apikey=${encodeURIComponent(key)}`
      expect((await server.send('GET', path, { key: null })).status).toBe(401)
      const answer = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${key}` } })
      expect([401, 403]).toContain(answer.status)
      const call = await server.send('POST', '/rest/v1/rpc/is_superadmin', {
        headers: { authorization: `Bearer ${key}` },
        body: { user_id: '0b5a3c1e-7d2f-4a86-9b1c-2d3e4f5a6b7c' },
      })
      expect(call.status).toBe(401)
    }
    for (const query of ['?apikey=', '?apikey=a&apikey=b', '?apikey[]=a', '?apikey%00=a']) {
      expect((await server.send('GET', `/auth/v1/settings${query}`, { key: null })).status).toBe(401)
    }
  })
})

describe('the secret API key', () => {
  it('appears in no log, response or public setting, not even when it is used or nearly right', async () => {
    const product = await startTestServer({ GOTRUE_JWT_SECRET: secret })
    const secretKey = deriveApiKey('secret', secret)
    try {
      const ask = (path: string, key: string) =>
        fetch(product.url + path, { headers: { apikey: key, authorization: `Bearer ${key}` } })
      expect((await ask('/auth/v1/admin/users', secretKey)).status).toBe(200)
      const answers = [
        await ask('/api/v1/config', secretKey),
        await ask(`/auth/v1/settings?apikey=${secretKey}`, secretKey),
        await ask('/auth/v1/admin/users', `${secretKey}x`),
        await ask('/api/v1/organizations/0/projects', secretKey),
        await ask(`/auth/v1/nothing?apikey=${secretKey}`, secretKey),
      ]
      for (const answer of answers) {
        expect(await answer.text()).not.toContain(secretKey)
        expect([...answer.headers].join()).not.toContain(secretKey)
      }
      expect(product.logLines.join('')).not.toContain(secretKey)
      expect(product.logLines.join('')).not.toContain(secret)
    } finally {
      await product.stop()
    }
  })
})
