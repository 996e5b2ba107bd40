import type { RequestListener } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAddress } from '#server/testing/auth-server.ts'
import { exchange, readError } from '#server/testing/google-sign-in.ts'
import {
  answer,
  type HostileGoogle,
  publicJwk,
  signIdToken,
  startHostileGoogle,
} from '#server/testing/hostile-google.ts'

let google: HostileGoogle

beforeAll(async () => {
  google = await startHostileGoogle()
}, 60_000)
beforeEach(() => google.reset())
afterAll(() => google.stop())

const claims: HostileGoogle['claims'] = (changes) => google.claims(changes)
const comeBack: HostileGoogle['comeBack'] = (makeToken) => google.comeBack(makeToken)

const unusable = {
  error: 'server_error',
  error_code: 'unexpected_failure',
  error_description: 'The provider’s answer is not valid',
}
const unavailable = {
  error: 'temporarily_unavailable',
  error_code: 'unexpected_failure',
  error_description: 'The provider is unavailable',
}

const other = await generateKeyPair('RS256', { extractable: true })

describe('an unreachable provider', () => {
  it.each([
    ['refuses', (_q, s) => s.socket?.destroy()],
    ['fails', answer({}, 503)],
  ] satisfies [string, RequestListener][])('leads back when it %s before the sign-in', async (_name, discovery) => {
    google.answers.discovery = discovery
    expect(readError((await google.begin()).location)).toEqual(unavailable)
  })

  it.each([
    ['names another issuer', { issuer: 'https://accounts.google.com' }],
    ['names no addresses', { authorization_endpoint: undefined }],
    ['names a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['names a file', { token_endpoint: 'file:///etc/passwd' }],
  ])('redirects back when it %s', async (_name, changes) => {
    google.answers.discovery = answer({ ...google.description, ...changes })
    expect(readError((await google.begin()).location)).toEqual(unusable)
  })

  it('redirects back after ten seconds without an answer, and holds no database connection', async () => {
    const asked = Promise.withResolvers<void>()
    google.answers.token = () => asked.resolve()
    const coming = comeBack()
    await asked.promise
    const askedAt = performance.now()
    // A job's transaction may be seen between two of its statements, and ends; one that waited for Google would stay.
    await expect
      .poll(
        async () => {
          const { rows } = await google.server.sql.query(
            `select query from pg_stat_activity
             where datname = current_database() and state like 'idle in transaction%'`,
          )
          return rows
        },
        { timeout: 5000 },
      )
      .toEqual([])
    expect(readError((await coming).target)).toEqual(unavailable)
    expect(performance.now() - askedAt).toBeLessThan(12_000)
  })

  it.each([
    ['breaks off', (_q, s) => void s.writeHead(200).write('{', () => s.socket?.destroy())],
    ['fails', answer({}, 500)],
  ] satisfies [string, RequestListener][])('leads back when it %s after the sign-in', async (_name, token) => {
    google.answers.token = token
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
    google.answers.token = token
    expect(readError((await comeBack()).target)).toEqual(unusable)
  })

  it('is not followed to another address', async () => {
    google.answers.token = (_request, response) =>
      response.writeHead(307, { location: `${google.issuer}/elsewhere` }).end()
    expect(readError((await comeBack()).target)).toEqual(unusable)
    expect(google.countOthers()).toBe(0)
  })
})

describe('an ID token', () => {
  it('is accepted when all its claims are right', async () => {
    const email = createAddress()
    const session = await exchange(
      await comeBack((nonce) => signIdToken(claims({ nonce, email: email.toUpperCase() }))),
    )
    expect(session.user.email).toBe(email)
    expect(session.provider_refresh_token).toBe(undefined)
  })

  const seconds = () => Math.floor(Date.now() / 1000)
  it.each([
    ['for another client', (nonce) => signIdToken(claims({ nonce, aud: 'another' }))],
    [
      'for two clients by another',
      (nonce) => signIdToken(claims({ nonce, aud: [String(claims().aud), 'another'], azp: 'another' })),
    ],
    ['of another issuer', (nonce) => signIdToken(claims({ nonce, iss: 'https://accounts.google.com' }))],
    ['that has expired', (nonce) => signIdToken(claims({ nonce, exp: seconds() - 120 }))],
    ['that never expires', (nonce) => signIdToken(claims({ nonce, exp: undefined }))],
    ['that is not valid yet', (nonce) => signIdToken(claims({ nonce, nbf: seconds() + 600 }))],
    ['for another sign-in', () => signIdToken(claims({ nonce: 'another' }))],
    ['for no sign-in', () => signIdToken(claims())],
    ['without an id', (nonce) => signIdToken(claims({ nonce, sub: undefined }))],
    ['with an id that is none', (nonce) => signIdToken(claims({ nonce, sub: 'a\nb' }))],
    ['without an address', (nonce) => signIdToken(claims({ nonce, email: undefined }))],
    ['with an address that is none', (nonce) => signIdToken(claims({ nonce, email: 'a@b@c\u0000.de' }))],
    ['signed by another key', (nonce) => signIdToken(claims({ nonce }), { key: other.privateKey })],
    [
      'signed with a key that is not published',
      (nonce) => signIdToken(claims({ nonce }), { key: other.privateKey, kid: 'x' }),
    ],
    ['signed with the public key as a secret', (nonce) => signWithPublicKey(claims({ nonce }))],
    ['not signed', (nonce) => new UnsecuredJWT(claims({ nonce })).encode()],
  ] satisfies [string, (nonce: string) => Promise<string> | string][])(
    'is not believed %s',
    async (_name, makeToken) => {
      const { rows: before } = await google.server.sql.query('select count(*) from auth.users')
      expect(readError((await comeBack(makeToken)).target)).toEqual(unusable)
      expect((await google.server.sql.query('select count(*) from auth.users')).rows).toEqual(before)
    },
  )

  it('is accepted after the provider has changed its keys', async () => {
    await exchange(await comeBack((nonce) => signIdToken(claims({ nonce }))))
    google.answers.keys = answer({
      keys: [{ ...(await exportJWK(other.publicKey)), kid: 'two', alg: 'RS256', use: 'sig' }],
    })
    await exchange(await comeBack((nonce) => signIdToken(claims({ nonce }), { key: other.privateKey, kid: 'two' })))
    google.answers.keys = answer({ keys: 'none' })
    const { target } = await comeBack((nonce) => signIdToken(claims({ nonce }), { kid: 'three' }))
    expect(readError(target)).toEqual(unusable)
  })

  it('may be missing: then the userinfo endpoint is used', async () => {
    const email = createAddress()
    google.answers.token = answer({ access_token: 'access', token_type: 'Bearer' })
    google.answers.userinfo = (request, response) =>
      answer(request.headers.authorization === 'Bearer access' ? { sub: email, email, email_verified: true } : {})(
        request,
        response,
      )
    expect((await exchange(await comeBack())).user.email).toBe(email)
    google.answers.userinfo = answer({ email, email_verified: true })
    expect(readError((await comeBack()).target)).toEqual(unusable)
  })

  it.each(['true', 1, 'yes', {}, null, undefined])('verifies no address with %o', async (value) => {
    const { target } = await comeBack((nonce) => signIdToken(claims({ nonce, email_verified: value })))
    expect(readError(target).error_code).toBe('provider_email_needs_verification')
  })
})

async function signWithPublicKey(payload: JWTPayload): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(publicJwk))
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret)
}
