import { createServer, type RequestListener, type Server } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAddress, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'
import { exchange, googleSettings, open, readError } from '#server/testing/google-sign-in.ts'

/** What a provider answers that nobody should trust; each test replaces what it is about. */
interface HostileProvider {
  discovery: RequestListener
  keys: RequestListener
  token: RequestListener
  userinfo: RequestListener
}

const clientId = 'earshot-development.apps.googleusercontent.com'
const pair = await generateKeyPair('RS256', { extractable: true })
const other = await generateKeyPair('RS256', { extractable: true })
const publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }

let listener: Server
let issuer: string
let server: TestAuthServer
let provider: HostileProvider
let elsewhere = 0

const answer =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

beforeAll(async () => {
  listener = createServer((request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    if (path === '/.well-known/openid-configuration') return provider.discovery(request, response)
    if (path === '/keys') return provider.keys(request, response)
    if (path === '/token') return provider.token(request, response)
    if (path === '/userinfo') return provider.userinfo(request, response)
    elsewhere += 1
    return answer({})(request, response)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  issuer = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
  server = await startAuthServer(googleSettings(issuer))
}, 60_000)

beforeEach(() => {
  elsewhere = 0
  provider = {
    discovery: answer({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
    }),
    keys: answer({ keys: [publicJwk] }),
    token: answer({ error: 'invalid_grant' }, 400),
    userinfo: answer({}, 401),
  }
})

afterAll(async () => {
  await server.stop()
  listener.closeAllConnections()
  await new Promise((resolve) => listener.close(resolve))
})

const unusable = {
  error: 'server_error',
  error_code: 'unexpected_failure',
  error_description: 'The provider’s answer could not be used',
}
const unavailable = {
  error: 'temporarily_unavailable',
  error_code: 'unexpected_failure',
  error_description: 'The provider is unavailable',
}

async function begin() {
  const browser = server.openBrowser()
  const { data } = await browser.auth.signInWithOAuth({
    provider: 'google',
    options: { skipBrowserRedirect: true, redirectTo: `${server.url}/auth/callback` },
  })
  return { browser, location: (await open(data.url ?? '')).location }
}

/** Comes back from the provider with a code. `makeToken` gets the nonce that the provider was given. */
async function comeBack(makeToken?: (nonce: string) => Promise<string> | string) {
  const { browser, location } = await begin()
  if (makeToken) {
    const idToken = await makeToken(location.searchParams.get('nonce') ?? '')
    provider.token = answer({ access_token: 'access', token_type: 'Bearer', expires_in: 3600, id_token: idToken })
  }
  const query = new URLSearchParams({ code: 'code', state: location.searchParams.get('state') ?? '' })
  const { location: target } = await open(`${server.url}/auth/v1/callback?${query}`)
  return { browser, target }
}

const claims = (changes: Record<string, unknown> = {}): JWTPayload => ({
  iss: issuer,
  aud: clientId,
  sub: `sub-${createAddress()}`,
  email: createAddress(),
  email_verified: true,
  name: 'Somebody',
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 3600,
  ...changes,
})

const sign = (payload: JWTPayload, { key = pair.privateKey, kid = 'one', alg = 'RS256' } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(key)

describe('a provider that is not there', () => {
  it.each([
    ['refuses', (_q, s) => s.socket?.destroy()],
    ['fails', answer({}, 503)],
  ] satisfies [string, RequestListener][])('leads back when it %s before the sign-in', async (_name, discovery) => {
    provider.discovery = discovery
    expect(readError((await begin()).location)).toEqual(unavailable)
  })

  it.each([
    ['names somebody else', { issuer: 'https://accounts.google.com' }],
    ['names no addresses', { authorization_endpoint: undefined }],
    ['names a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['names a file', { token_endpoint: 'file:///etc/passwd' }],
  ])('leads back when it %s', async (_name, changes) => {
    const usual = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
    }
    provider.discovery = answer({ ...usual, ...changes })
    expect(readError((await begin()).location)).toEqual(unusable)
  })

  it('leads back after ten seconds without an answer, and holds no connection to the database', async () => {
    provider.token = () => {}
    const startedAt = performance.now()
    const coming = comeBack()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const { rows } = await server.sql.query(
      `select state from pg_stat_activity where state like 'idle in transaction%'`,
    )
    expect(rows).toEqual([])
    expect(readError((await coming).target)).toEqual(unavailable)
    expect(performance.now() - startedAt).toBeLessThan(12_000)
  }, 20_000)

  it.each([
    ['breaks off', (_q, s) => void s.writeHead(200).write('{', () => s.socket?.destroy())],
    ['fails', answer({}, 500)],
  ] satisfies [string, RequestListener][])('leads back when it %s after the sign-in', async (_name, token) => {
    provider.token = token
    expect(readError((await comeBack()).target)).toEqual(unavailable)
  })
})

describe('a provider that answers with anything', () => {
  it.each([
    ['a refusal', answer({ error: 'invalid_client' }, 401)],
    ['no JSON', (_q, s) => s.end('<html>')],
    ['nothing', (_q, s) => s.end()],
    ['an array', answer([])],
    ['null', answer(null)],
    ['no tokens', answer({})],
    ['a token that is none', answer({ access_token: { a: 1 } })],
    ['a token without end', answer({ access_token: 'a'.repeat(9000) })],
    ['a megabyte', answer({ access_token: 'a', padding: 'x'.repeat(1024 * 1024) })],
    ['nesting without end', (_q, s) => s.end(`{"a":${'['.repeat(60_000)}`)],
    ['an ID token that is none', answer({ access_token: 'a', id_token: 'x.y.z' })],
  ] satisfies [string, RequestListener][])('leads back after %s', async (_name, token) => {
    provider.token = token
    expect(readError((await comeBack()).target)).toEqual(unusable)
  })

  it('is not followed elsewhere', async () => {
    provider.token = (_request, response) => response.writeHead(307, { location: `${issuer}/elsewhere` }).end()
    expect(readError((await comeBack()).target)).toEqual(unusable)
    expect(elsewhere).toBe(0)
  })
})

describe('an ID token', () => {
  it('is believed when everything about it is right', async () => {
    const email = createAddress()
    const session = await exchange(await comeBack((nonce) => sign(claims({ nonce, email: email.toUpperCase() }))))
    expect(session.user.email).toBe(email)
    expect(session.provider_refresh_token).toBe(undefined)
  })

  const seconds = () => Math.floor(Date.now() / 1000)
  it.each([
    ['for another client', (nonce) => sign(claims({ nonce, aud: 'another' }))],
    ['for two clients by another', (nonce) => sign(claims({ nonce, aud: [clientId, 'another'], azp: 'another' }))],
    ['of another issuer', (nonce) => sign(claims({ nonce, iss: 'https://accounts.google.com' }))],
    ['that has expired', (nonce) => sign(claims({ nonce, exp: seconds() - 120 }))],
    ['that never expires', (nonce) => sign(claims({ nonce, exp: undefined }))],
    ['that is not valid yet', (nonce) => sign(claims({ nonce, nbf: seconds() + 600 }))],
    ['for another sign-in', () => sign(claims({ nonce: 'another' }))],
    ['for no sign-in', () => sign(claims())],
    ['without an id', (nonce) => sign(claims({ nonce, sub: undefined }))],
    ['with an id that is none', (nonce) => sign(claims({ nonce, sub: 'a\nb' }))],
    ['without an address', (nonce) => sign(claims({ nonce, email: undefined }))],
    ['with an address that is none', (nonce) => sign(claims({ nonce, email: 'a@b@c\u0000.de' }))],
    ['signed by somebody else', (nonce) => sign(claims({ nonce }), { key: other.privateKey })],
    [
      'signed with a key that is not published',
      (nonce) => sign(claims({ nonce }), { key: other.privateKey, kid: 'x' }),
    ],
    ['signed with the public key as a secret', (nonce) => signWithPublicKey(claims({ nonce }))],
    ['not signed', (nonce) => new UnsecuredJWT(claims({ nonce })).encode()],
  ] satisfies [string, (nonce: string) => Promise<string> | string][])(
    'is not believed %s',
    async (_name, makeToken) => {
      const { rows: before } = await server.sql.query('select count(*) from auth.users')
      expect(readError((await comeBack(makeToken)).target)).toEqual(unusable)
      expect((await server.sql.query('select count(*) from auth.users')).rows).toEqual(before)
    },
  )

  it('is believed after the provider has changed its keys', async () => {
    await exchange(await comeBack((nonce) => sign(claims({ nonce }))))
    provider.keys = answer({ keys: [{ ...(await exportJWK(other.publicKey)), kid: 'two', alg: 'RS256', use: 'sig' }] })
    await exchange(await comeBack((nonce) => sign(claims({ nonce }), { key: other.privateKey, kid: 'two' })))
    provider.keys = answer({ keys: 'none' })
    const { target } = await comeBack((nonce) => sign(claims({ nonce }), { kid: 'three' }))
    expect(readError(target)).toEqual(unusable)
  })

  it('may be missing: then the provider is asked', async () => {
    const email = createAddress()
    provider.token = answer({ access_token: 'access', token_type: 'Bearer' })
    provider.userinfo = (request, response) =>
      answer(request.headers.authorization === 'Bearer access' ? { sub: email, email, email_verified: true } : {})(
        request,
        response,
      )
    expect((await exchange(await comeBack())).user.email).toBe(email)
    provider.userinfo = answer({ email, email_verified: true })
    expect(readError((await comeBack()).target)).toEqual(unusable)
  })

  it.each(['true', 1, 'yes', {}, null, undefined])('vouches for no address with %o', async (value) => {
    const { target } = await comeBack((nonce) => sign(claims({ nonce, email_verified: value })))
    expect(readError(target).error_code).toBe('provider_email_needs_verification')
  })
})

describe('what a profile says', () => {
  const nameOf = async (changes: Record<string, unknown>) => {
    const session = await exchange(await comeBack((nonce) => sign(claims({ nonce, ...changes }))))
    const { rows } = await server.sql.query(`select full_name, avatar_url from public.profiles where user_id = $1`, [
      session.user.id,
    ])
    return { metadata: session.user.user_metadata, profile: rows[0], token: session.access_token }
  }

  it.each([
    ['control characters', 'Eve\u0000\u001b[31m\r\nSet-Cookie: a\u007f', 'Eve [31m Set-Cookie: a'],
    ['a turned direction', 'Eve\u202e\u2066gnp.exe\u2069', 'Eve gnp.exe'],
    ['half a character', 'Eve \ud83d', 'Eve \ufffd'],
    ['markup, which is text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['many characters in two halves', '😀'.repeat(300), '😀'.repeat(200)],
  ])('is cleaned of %s', async (_name, name, clean) => {
    expect((await nameOf({ name })).metadata).toMatchObject({ name: clean, full_name: clean })
  })

  it('may be 100 kB long', async () => {
    const { metadata, token } = await nameOf({ name: 'x'.repeat(100_000 - 5000), picture: 'https://a.example/p' })
    expect(metadata.full_name).toBe('x'.repeat(200))
    expect(token.length).toBeLessThan(4096)
  })

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'http://a.example/p.png',
    'https://user:secret@a.example/p.png',
    '//a.example/p.png',
    `https://a.example/${'p'.repeat(1000)}`,
    { url: 'https://a.example' },
  ])('shows no picture from %o', async (picture) => {
    const { metadata, profile } = await nameOf({ picture })
    expect(metadata).not.toHaveProperty('avatar_url')
    expect(metadata).not.toHaveProperty('picture')
    expect(profile.avatar_url).toBe(null)
  })

  it('may be of every wrong type', async () => {
    const { metadata } = await nameOf({ name: ['x'], given_name: 1, family_name: {}, picture: 7, hd: '<b>' })
    expect(metadata).not.toHaveProperty('custom_claims')
  })

  it('keeps the Workspace domain', async () => {
    expect((await nameOf({ hd: 'acme.example' })).metadata.custom_claims).toEqual({ hd: 'acme.example' })
  })
})

async function signWithPublicKey(payload: JWTPayload): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(publicJwk))
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret)
}
