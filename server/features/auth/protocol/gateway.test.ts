import { createServer } from 'node:net'
import { generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { neverReadOnly } from '#server/platform/read-only/read-only.ts'
import {
  createAddress,
  password,
  readClaims,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'
import { createAuth } from '../auth.service.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server?.stop())

describe('the API key', () => {
  it('is required, and its absence is explained', async () => {
    const answer = await server.send('GET', '/auth/v1/settings', { key: null })
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    })
    expect(answer.headers.get('sb-error-code')).toBe('UNAUTHORIZED_MISSING_API_KEY')
  })

  it('does not count when it is only a bearer token', async () => {
    const headers = { authorization: `Bearer ${server.auth.publishableKey}` }
    expect((await server.send('GET', '/auth/v1/settings', { key: null, headers })).status).toBe(401)
  })

  it.each(['wrong', 'sb_publishable_AAAAAAAAAAAAAAAAAAAAAA_AAAAAAAA', 'a.b.c'])(
    'is refused when it is %s',
    async (key) => {
      for (const path of ['/auth/v1/settings', '/rest/v1/rpc/is_superadmin']) {
        const answer = await server.send('GET', path, { key })
        expect(answer).toMatchObject({ status: 401, body: { message: 'Invalid API key' } })
        expect(answer.headers.get('sb-error-code')).toBe('UNAUTHORIZED_INVALID_API_KEY')
      }
    },
  )

  it('may be a query parameter', async () => {
    const query = new URLSearchParams({ apikey: server.auth.publishableKey })
    expect((await server.send('GET', `/auth/v1/settings?${query}`, { key: null })).status).toBe(200)
  })

  it('has the form of a publishable key and is the same after a restart', async () => {
    expect(server.auth.publishableKey).toMatch(/^sb_publishable_[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{8}$/)
    const second = await server.startAnother()
    expect((await server.send('GET', `${second}/auth/v1/settings`)).status).toBe(200)
  })

  it('is not required for links and key sets', async () => {
    expect((await server.send('GET', '/auth/v1/.well-known/jwks.json', { key: null })).status).toBe(200)
    expect((await server.send('GET', '/auth/v1/verify?type=signup&token=x', { key: null })).status).toBe(200)
    expect((await server.send('POST', '/auth/v1/verify/link?type=signup&token=x', { key: null })).status).toBe(303)
  })
})

describe('calls from other origins', () => {
  const origin = { origin: 'https://app.example', 'access-control-request-method': 'POST' }

  it('pass the preflight without a key', async () => {
    for (const path of ['/auth/v1/token', '/rest/v1/rpc/is_superadmin']) {
      const answer = await server.send('OPTIONS', path, {
        key: null,
        headers: { ...origin, 'access-control-request-headers': 'apikey,authorization,x-client-info,x-new-header' },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      for (const name of ['apikey', 'authorization', 'content-type', 'x-supabase-api-version', 'x-new-header']) {
        expect(answer.headers.get('access-control-allow-headers')).toContain(name)
      }
    }
  })

  it('can read the version header, also on errors, which would lose their code without it', async () => {
    for (const key of [undefined, null]) {
      const answer = await server.send('POST', '/auth/v1/token?grant_type=password', {
        headers: origin,
        body: {},
        ...(key === null && { key }),
      })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-expose-headers')).toContain('x-supabase-api-version')
    }
    const refused = await server.send('POST', '/auth/v1/token?grant_type=password', { body: {} })
    expect(refused.headers.get('x-supabase-api-version')).toBe('2024-01-01')
  })
})

describe('GET /health, /settings and unknown addresses', () => {
  it('describe the server', async () => {
    expect((await server.send('GET', '/auth/v1/health')).body.name).toBe('GoTrue')
    expect((await server.send('GET', '/auth/v1/settings')).body).toMatchObject({
      external: { email: true, google: false, phone: false },
      disable_signup: false,
      mailer_autoconfirm: false,
    })
  })

  it('answers 404 in the protocol’s shape', async () => {
    expect(await server.send('GET', '/auth/v1/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await server.send('DELETE', '/auth/v1/token')).status).toBe(404)
  })
})

describe('access tokens', () => {
  async function getUser(token: string) {
    return server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
  }

  async function forge(change: (claims: Record<string, unknown>) => void, header: object = {}): Promise<string> {
    const parts = server.auth.server?.parts
    if (!parts) throw new Error('no server')
    const browser = await server.signUpConfirmed(createAddress())
    const claims = readClaims((await browser.auth.getSession()).data.session?.access_token ?? '')
    change(claims)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: parts.keys.current.kid, typ: 'JWT', ...header })
      .sign(parts.keys.current.privateKey)
  }

  it('are valid unchanged', async () => {
    const token = await forge(() => {})
    expect((await getUser(token)).status).toBe(200)
    expect(await server.auth.verifyAccessToken(token)).toMatchObject({ email: readClaims(token).email })
  })

  it.each<[string, (claims: Record<string, unknown>) => void, object?]>([
    ['of another issuer', (claims) => Object.assign(claims, { iss: 'https://evil.example/auth/v1' })],
    ['for another audience', (claims) => Object.assign(claims, { aud: 'other' })],
    ['without a subject', (claims) => delete claims.sub],
    ['without an end', (claims) => delete claims.exp],
    ['without a session', (claims) => delete claims.session_id],
    ['with another role', (claims) => Object.assign(claims, { role: 'service_role' })],
    ['whose subject is no id', (claims) => Object.assign(claims, { sub: "x' or 1=1" })],
    ['of another type', () => {}, { typ: 'at+jwt' }],
  ])('are refused %s', async (_name, change, header) => {
    const token = await forge(change, header)
    expect(await getUser(token)).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
    await expect(server.auth.verifyAccessToken(token)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('are refused when expired, with a code of its own for the product', async () => {
    const token = await forge((claims) => Object.assign(claims, { exp: Math.floor(Date.now() / 1000) - 60 }))
    expect((await getUser(token)).body).toMatchObject({ code: 'bad_jwt', message: expect.stringContaining('expired') })
    await expect(server.auth.verifyAccessToken(token)).rejects.toMatchObject({ code: 'token_expired' })
  })

  it('are refused unsigned, signed by a stranger, or signed with the public key as a secret', async () => {
    const good = await forge(() => {})
    const [, payload = ''] = good.split('.')
    const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const kid = server.auth.server?.parts.keys.current.kid ?? ''
    const stranger = await generateKeyPair('ES256')
    const jwk = server.auth.server?.parts.keys.publicJwks.keys[0]
    const secret = await importJWK({ kty: 'oct', k: Buffer.from(JSON.stringify(jwk)).toString('base64url') }, 'HS256')
    const tokens = [
      `${encode({ alg: 'none', kid, typ: 'JWT' })}.${payload}.`,
      await new SignJWT(readClaims(good))
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .sign(stranger.privateKey),
      await new SignJWT(readClaims(good)).setProtectedHeader({ alg: 'HS256', kid, typ: 'JWT' }).sign(secret),
      'x'.repeat(100_000),
      'a.b',
    ]
    for (const token of tokens.filter((token) => token.length < 10_000)) expect((await getUser(token)).status).toBe(403)
    for (const token of tokens) {
      await expect(server.auth.verifyAccessToken(token)).rejects.toMatchObject({ code: 'unauthenticated' })
    }
  })

  it('are required', async () => {
    expect(await server.send('GET', '/auth/v1/user')).toMatchObject({
      status: 401,
      body: { code: 'no_authorization', message: 'This endpoint requires a valid Bearer token' },
    })
    const key = { authorization: `Bearer ${server.auth.publishableKey}` }
    expect(await server.send('GET', '/auth/v1/user', { headers: key })).toMatchObject({
      status: 403,
      body: { code: 'bad_jwt' },
    })
  })

  it('are refused for a deleted user', async () => {
    const token = await forge(() => {})
    await server.sql.query('delete from auth.users where id = $1', [readClaims(token).sub])
    expect(await getUser(token)).toMatchObject({ status: 403, body: { code: 'user_not_found' } })
  })
})

describe('a banned user', () => {
  it('gets that error, and may still sign out', async () => {
    const browser = await server.signUpConfirmed(createAddress())
    const session = (await browser.auth.getSession()).data.session
    await server.sql.query(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [
      session?.user.id,
    ])
    expect((await browser.auth.getUser()).error).toMatchObject({ status: 403, code: 'user_banned' })
    const headers = { authorization: `Bearer ${session?.access_token}` }
    expect((await server.send('POST', '/auth/v1/logout?scope=local', { headers })).status).toBe(204)
  })
})

describe('POST /logout', () => {
  async function signIn(email: string): Promise<string> {
    const { body } = await server.send('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })
    return body.access_token
  }
  const logout = (token: string, query: string) =>
    server.send('POST', `/auth/v1/logout${query}`, { headers: { authorization: `Bearer ${token}` } })
  const isSignedIn = async (token: string) =>
    (await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })).status === 200

  it.each([
    ['?scope=local', [false, true, true]],
    ['?scope=others', [true, false, false]],
    ['?scope=global', [false, false, false]],
    ['', [false, false, false]],
  ])('with %s ends the right sessions', async (query, expected) => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const stranger = createAddress()
    await server.signUpConfirmed(stranger)
    const strangerToken = await signIn(stranger)
    const tokens = [await signIn(email), await signIn(email), await signIn(email)]
    const answer = await logout(tokens[0] ?? '', query)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(await Promise.all(tokens.map(isSignedIn))).toEqual(expected)
    expect(await isSignedIn(strangerToken)).toBe(true)
  })

  it('refuses an unknown scope and a session that has ended', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const token = await signIn(email)
    expect(await logout(token, '?scope=all')).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    await logout(token, '?scope=local')
    expect(await logout(token, '?scope=local')).toMatchObject({ status: 403, body: { code: 'session_not_found' } })
  })
})

describe('an external project', () => {
  it('has its tokens verified with its published keys', async () => {
    const external = await createAuth({
      config: loadConfig({ SUPABASE_URL: server.url, SUPABASE_ANON_KEY: 'sb_publishable_other' }),
      database: {} as Database,
      log: createLog({ level: 'silent' }),
      readOnly: neverReadOnly,
    })
    expect(external.publishableKey).toBe('sb_publishable_other')
    expect(external.server).toBeUndefined()
    const email = createAddress()
    const browser = await server.signUpConfirmed(email)
    const token = (await browser.auth.getSession()).data.session?.access_token ?? ''
    expect(await external.verifyAccessToken(token)).toMatchObject({ email })
    await expect(external.verifyAccessToken(`${token.slice(0, -4)}AAAA`)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  it('is reported unavailable during an outage, instead of its users unauthenticated', async () => {
    const listener = createServer()
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    await new Promise((resolve) => listener.close(resolve))
    const external = await createAuth({
      config: loadConfig({
        SUPABASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
        SUPABASE_ANON_KEY: 'key',
      }),
      database: {} as Database,
      log: createLog({ level: 'silent' }),
      readOnly: neverReadOnly,
    })
    const browser = await server.signUpConfirmed(createAddress())
    const token = (await browser.auth.getSession()).data.session?.access_token ?? ''
    await expect(external.verifyAccessToken(token)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
