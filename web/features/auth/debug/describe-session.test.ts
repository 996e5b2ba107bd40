import type { Session } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { describeSession, withoutSecrets } from './describe-session.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = { sub: 'u-1', email: 'ada@example.com', role: 'authenticated', session_id: 's-1', aal: 'aal1' }
const accessToken = `${encode({ alg: 'ES256', kid: 'k-1', typ: 'JWT' })}.${encode(claims)}.signature-of-the-token`

const session = {
  access_token: accessToken,
  refresh_token: 'refresh-me',
  provider_token: 'at-google',
  provider_refresh_token: 'refresh-at-google',
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: 1_800_000_000,
  user: {
    id: 'u-1',
    email: 'ada@example.com',
    app_metadata: { provider: 'email' },
    user_metadata: {},
    aud: 'authenticated',
    created_at: '2026-11-21T00:00:00Z',
    email_confirmed_at: '2026-11-21T00:01:00Z',
  },
} satisfies Session

const report = describeSession(session, {
  isVerified: true,
  organization: { id: 'o-1', name: 'Engines', role: 'owner' },
  isSuperadmin: false,
})

describe('describeSession', () => {
  it('contains the token’s claims, its signature algorithm and its expiry', () => {
    expect(report).toMatchObject({
      session: { expiresAt: '2027-01-15T08:00:00.000Z', algorithm: 'ES256', keyId: 'k-1' },
      user: { provider: 'email', isVerified: true },
      organization: { role: 'owner' },
      isSuperadmin: false,
      claims,
    })
  })

  it('contains no token of any kind, nor a part of one', () => {
    const text = JSON.stringify(report)
    for (const secret of [...accessToken.split('.'), 'refresh-me', 'at-google']) expect(text).not.toContain(secret)
  })
})

describe('withoutSecrets', () => {
  it('leaves out values named like a secret, at any depth', () => {
    expect(
      withoutSecrets({
        user_metadata: { full_name: 'Ada', provider_token: 'x', invitation_token: 'y', list: [{ api_key: 1 }] },
      }),
    ).toEqual({ user_metadata: { full_name: 'Ada', list: [{}] } })
  })

  it('leaves out tokens under any name', () => {
    expect(withoutSecrets({ note: `see ${accessToken}` })).toEqual({ note: '[left out]' })
  })

  it('keeps everything else', () => {
    const value = { sub: 'u-1', amr: [{ method: 'password', timestamp: 1 }], exp: 5, ok: true, none: null }
    expect(withoutSecrets(value)).toEqual(value)
  })
})
