import { randomUUID } from 'node:crypto'
import { AuthClient, GoTrueAdminApi } from '@supabase/auth-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAuthServer } from '#server/features/auth/auth.service.ts'
import { createAddress, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
let stranger: InstanceType<typeof AuthClient>
let person: InstanceType<typeof AuthClient>
let token: string
let secretKey: string
beforeAll(async () => {
  server = await startAuthServer()
  secretKey = getAuthServer(server.auth).parts.keys.secretKey
  stranger = openClient()
  person = openClient()
  const account = { email: createAddress(), password: 'correct horse' }
  const made = await server.send('POST', '/auth/v1/admin/users', {
    key: secretKey,
    body: { ...account, email_confirm: true },
  })
  expect(made.status).toBe(200)
  const { data } = await person.signInWithPassword(account)
  token = data.session?.access_token ?? ''
})
afterAll(() => server?.stop())

/** A client with the library's experimental features enabled. */
function openClient(): InstanceType<typeof AuthClient> {
  const key = server.auth.publishableKey
  return new AuthClient({
    url: `${server.url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
    experimental: { passkey: true },
  })
}

const phone = '+491701234567'
const solana = { message: 'm'.repeat(64), signature: new Uint8Array(64), chain: 'solana' } as const
const factorId = randomUUID()

type Call = () => Promise<{ error: unknown }>
const calls: [string, Call, { status: number; code: string; message: string }][] = [
  [
    'signInWithSSO',
    () => stranger.signInWithSSO({ domain: 'example.com' }),
    { status: 404, code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' },
  ],
  [
    'signInWithIdToken of Google',
    () => stranger.signInWithIdToken({ provider: 'google', token: 'x' }),
    {
      status: 400,
      code: 'provider_disabled',
      message: 'Provider (issuer "https://accounts.google.com") is not enabled',
    },
  ],
  [
    'signInWithIdToken of an unknown provider',
    () => stranger.signInWithIdToken({ provider: 'custom:x', token: 'x' }),
    { status: 400, code: 'validation_failed', message: 'Custom OIDC provider "custom:x" not allowed' },
  ],
  [
    'signInWithWeb3',
    () => stranger.signInWithWeb3(solana),
    { status: 422, code: 'web3_provider_disabled', message: 'Web3 provider is disabled' },
  ],
  [
    'signInAnonymously',
    () => stranger.signInAnonymously(),
    { status: 422, code: 'anonymous_provider_disabled', message: 'Anonymous sign-ins are disabled' },
  ],
  [
    'signInWithOtp by phone',
    () => stranger.signInWithOtp({ phone }),
    { status: 400, code: 'phone_provider_disabled', message: 'Unsupported phone provider' },
  ],
  [
    'signUp by phone',
    () => stranger.signUp({ phone, password: 'correct horse' }),
    { status: 400, code: 'phone_provider_disabled', message: 'Phone signups are disabled' },
  ],
  [
    'signInWithPassword by phone',
    () => stranger.signInWithPassword({ phone, password: 'correct horse' }),
    { status: 422, code: 'phone_provider_disabled', message: 'Phone logins are disabled' },
  ],
  [
    'verifyOtp by phone',
    () => stranger.verifyOtp({ phone, token: '123456', type: 'sms' }),
    { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' },
  ],
  [
    'verifyOtp by no phone',
    () => stranger.verifyOtp({ phone: '12ab', token: '123456', type: 'sms' }),
    { status: 400, code: 'validation_failed', message: 'Invalid phone number format (E.164 required)' },
  ],
  [
    'resend by phone',
    () => stranger.resend({ type: 'sms', phone }),
    { status: 400, code: 'phone_provider_disabled', message: 'Phone logins are disabled' },
  ],
  [
    'mfa.enroll of an app',
    () => person.mfa.enroll({ factorType: 'totp' }),
    { status: 422, code: 'mfa_totp_enroll_not_enabled', message: 'MFA enroll is disabled for TOTP' },
  ],
  [
    'mfa.enroll of a phone',
    () => person.mfa.enroll({ factorType: 'phone', phone }),
    { status: 422, code: 'mfa_phone_enroll_not_enabled', message: 'MFA enroll is disabled for Phone' },
  ],
  [
    'mfa.challenge',
    () => person.mfa.challenge({ factorId }),
    { status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' },
  ],
  [
    'mfa.verify',
    () => person.mfa.verify({ factorId, challengeId: randomUUID(), code: '123456' }),
    { status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' },
  ],
  [
    'mfa.unenroll',
    () => person.mfa.unenroll({ factorId }),
    { status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' },
  ],
  [
    'passkey.list',
    () => person.passkey.list(),
    { status: 404, code: 'passkey_disabled', message: 'Passkeys are disabled' },
  ],
  [
    'passkey.startRegistration',
    () => person.passkey.startRegistration(),
    { status: 404, code: 'passkey_disabled', message: 'Passkeys are disabled' },
  ],
  [
    'passkey.startAuthentication',
    () => stranger.passkey.startAuthentication(),
    { status: 404, code: 'passkey_disabled', message: 'Passkeys are disabled' },
  ],
]

describe('a feature that is off', () => {
  it.each(calls)('%s is refused as GoTrue does', async (_name, call, expected) => {
    const { error } = await call()
    expect(error).toMatchObject({ name: 'AuthApiError', ...expected })
  })

  it('is reported, for second factors and the rest, to signed-in callers only', async () => {
    for (const [method, path] of [
      ['POST', '/factors'],
      ['POST', `/factors/${factorId}/verify`],
      ['POST', `/factors/${factorId}/challenge`],
      ['DELETE', `/factors/${factorId}`],
      ['GET', '/factors/recovery-codes'],
      ['GET', '/user/oauth/grants'],
    ] as const) {
      const body = method === 'GET' ? {} : { body: {} }
      const answer = await server.send(method, `/auth/v1${path}`, body)
      expect(answer, path).toMatchObject({ status: 401, body: { code: 'no_authorization' } })
      const forged = await server.send(method, `/auth/v1${path}`, { ...body, headers: { authorization: 'Bearer x' } })
      expect(forged, path).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
    }
    const headers = { authorization: `Bearer ${token}` }
    const unknown = await server.send('POST', '/auth/v1/factors', { headers, body: { factor_type: 'x' } })
    expect(unknown).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    const nameless = await server.send('DELETE', '/auth/v1/factors/1', { headers })
    expect(nameless).toMatchObject({ status: 404, body: { code: 'validation_failed' } })
  })

  it('is reported, for administration, to holders of a service-role key only', async () => {
    const api = new GoTrueAdminApi({
      url: `${server.url}/auth/v1`,
      headers: { apikey: secretKey, Authorization: `Bearer ${secretKey}` },
      experimental: { passkey: true },
    })
    const userId = randomUUID()
    expect((await api.mfa.listFactors({ userId })).data).toEqual({ factors: [] })
    expect((await api.mfa.deleteFactor({ userId, id: factorId })).error?.code).toBe('mfa_factor_not_found')
    expect((await api.oauth.listClients()).error?.code).toBe('feature_disabled')
    expect((await api.oauth.getClient('x')).error?.code).toBe('feature_disabled')
    expect((await api.customProviders.listProviders()).error?.code).toBe('feature_disabled')
    expect((await api.customProviders.getProvider('custom:x')).error?.code).toBe('feature_disabled')
    expect((await api.passkey.listPasskeys({ userId })).error?.code).toBe('passkey_disabled')
    for (const path of [
      `/admin/users/${userId}/factors`,
      `/admin/users/${userId}/passkeys`,
      '/admin/oauth/clients',
      '/admin/custom-providers',
      '/admin/sso/providers',
    ]) {
      const answer = await server.send('GET', `/auth/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer, path).toMatchObject({ status: 403, body: { code: 'not_admin' } })
    }
  })

  it('needs an API key like all routes, except those that identity providers call', async () => {
    expect((await server.send('POST', '/auth/v1/sso', { body: {}, key: null })).status).toBe(401)
    const metadata = await server.send('GET', '/auth/v1/sso/saml/metadata', { key: null })
    expect(metadata).toMatchObject({ status: 404, body: { code: 'saml_provider_disabled' } })
  })

  it('refuses an address together with a phone number', async () => {
    for (const path of ['/otp', '/verify', '/resend', '/token?grant_type=password']) {
      const body = { email: createAddress(), phone, type: 'signup', token: '1', password: 'x' }
      const answer = await server.send('POST', `/auth/v1${path}`, { body })
      expect(answer, path).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    }
  })

  it('handles malformed input without a server error', async () => {
    for (const value of [null, 1, [], {}, '\0', 'x'.repeat(100_000)]) {
      for (const path of [
        '/otp',
        '/verify',
        '/resend',
        '/sso',
        '/token?grant_type=id_token',
        '/token?grant_type=web3',
      ]) {
        const body = { phone: value, provider: value, issuer: value, id_token: value, type: value }
        const answer = await server.send('POST', `/auth/v1${path}`, { body })
        expect(answer.status, `${path} ${String(value).slice(0, 20)} ${answer.text}`).toBeLessThan(500)
      }
    }
  })
})
