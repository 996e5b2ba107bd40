import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
let secretKey: string
let personToken: string
beforeAll(async () => {
  server = await startAuthServer()
  secretKey = server.auth.server?.parts.keys.secretKey ?? ''
  const browser = await server.signUpConfirmed(createAddress())
  personToken = (await browser.auth.getSession()).data.session?.access_token ?? ''
})
afterAll(() => server?.stop())

async function signKey(role: string, expiresIn = '1h'): Promise<string> {
  const keys = server.auth.server?.parts.keys
  if (!keys) throw new Error('no keys')
  return new SignJWT({ role, iss: 'supabase', ref: 'self-hosted' })
    .setProtectedHeader({ alg: 'ES256', kid: keys.current.kid, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(expiresIn)
    .sign(keys.current.privateKey)
}

function list(apiKey: string | null, bearer?: string) {
  return server.send('GET', '/auth/v1/admin/users', {
    key: apiKey,
    headers: { ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
  })
}

describe('admin routes', () => {
  it('accept the secret key and service-role keys, as bearer, as API key, or both', async () => {
    const publishable = server.auth.publishableKey
    for (const key of [secretKey, await signKey('service_role')]) {
      expect((await list(key, key)).status).toBe(200)
      expect((await list(key)).status).toBe(200)
      expect((await list(publishable, key)).status).toBe(200)
    }
  })

  it.each<[string, () => Promise<[string | null, string?]> | [string | null, string?], number, string | undefined]>([
    ['no bearer', () => [server.auth.publishableKey], 401, 'no_authorization'],
    ['a browser', () => [server.auth.publishableKey, server.auth.publishableKey], 403, 'not_admin'],
    ['a person', () => [server.auth.publishableKey, personToken], 403, 'not_admin'],
    // The bearer identifies the caller; the API key only admits the call.
    ['a person behind the secret key', () => [secretKey, personToken], 403, 'not_admin'],
    ['an anonymous key', async () => [server.auth.publishableKey, await signKey('anon')], 403, 'not_admin'],
    [
      'a key that has expired',
      async () => [server.auth.publishableKey, await signKey('service_role', '-1h')],
      403,
      'bad_jwt',
    ],
    ['noise', () => [server.auth.publishableKey, 'a.b.c'], 403, 'bad_jwt'],
    ['a secret key that is nearly right', () => [server.auth.publishableKey, `${secretKey}x`], 403, 'bad_jwt'],
    ['an expired API key', async () => [await signKey('service_role', '-1h')], 401, undefined],
    ['no API key at all', () => [null, secretKey], 401, undefined],
  ])('refuse %s', async (_who, keys, status, code) => {
    const [apiKey, bearer] = await keys()
    const answer = await list(apiKey, bearer)
    expect(answer.status).toBe(status)
    expect(answer.body.code).toBe(code)
    expect(answer.text).not.toContain(secretKey)
  })

  it('refuse with GoTrue’s text', async () => {
    const answer = await list(server.auth.publishableKey, personToken)
    expect(answer.body).toEqual({ code: 'not_admin', message: 'User not allowed' })
  })
})

describe('the secret key', () => {
  it('calls functions past row-level security, as service_role', async () => {
    const answer = await server.send('POST', '/rest/v1/rpc/is_superadmin', {
      key: secretKey,
      body: { user_id: '0b5a3c1e-7d2f-4a86-9b1c-2d3e4f5a6b7c' },
    })
    expect(answer).toMatchObject({ status: 200, text: 'false' })
  })

  it('is no access token', async () => {
    const answer = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${secretKey}` } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
    await expect(server.auth.verifyAccessToken(secretKey)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(server.auth.verifyAccessToken(await signKey('service_role'))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })
})
