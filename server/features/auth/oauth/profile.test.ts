import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAddress } from '#server/testing/auth-server.ts'
import { exchange, readError } from '#server/testing/google-sign-in.ts'
import { type HostileGoogle, signIdToken, startHostileGoogle } from '#server/testing/hostile-google.ts'

let google: HostileGoogle

beforeAll(async () => {
  google = await startHostileGoogle()
}, 60_000)
beforeEach(() => google.reset())
afterAll(() => google.stop())

const claims: HostileGoogle['claims'] = (changes) => google.claims(changes)
const comeBack: HostileGoogle['comeBack'] = (makeToken) => google.comeBack(makeToken)

describe('an address that the provider verifies later', () => {
  const come = (changes: Record<string, unknown>) => comeBack((nonce) => signIdToken(claims({ nonce, ...changes })))

  it('signs in then, without an email', async () => {
    const [sub, email] = [createAddress(), createAddress()]
    // A repeated sign-in confirms nothing.
    for (const _ of [1, 2]) {
      expect(readError((await come({ sub, email, email_verified: false })).target).error_code).toBe(
        'provider_email_needs_verification',
      )
    }
    expect((await exchange(await come({ sub, email }))).user).toMatchObject({
      email,
      user_metadata: { full_name: 'A. Stranger' },
    })
  })

  it('is not a second address of the same person', async () => {
    const [sub, email] = [createAddress(), createAddress()]
    await come({ sub, email, email_verified: false })
    expect(readError((await come({ sub, email: createAddress() })).target).error_code).toBe(
      'provider_email_needs_verification',
    )
    const { rows } = await google.server.sql.query('select email_confirmed_at from auth.users where email = $1', [
      email,
    ])
    expect(rows).toEqual([{ email_confirmed_at: null }])
  })

  it('belongs to its owner, even if another person typed it at the provider before', async () => {
    const [stranger, owner, email] = [createAddress(), createAddress(), createAddress()]
    await come({ sub: stranger, email, email_verified: false })
    const session = await exchange(await come({ sub: owner, email }))
    expect(session.user.identities?.map((identity) => identity.id)).toEqual([owner])
    expect(readError((await come({ sub: stranger, email, email_verified: false })).target).error_code).toBe(
      'provider_email_needs_verification',
    )
  })
})

describe('a profile', () => {
  const nameOf = async (changes: Record<string, unknown>) => {
    const session = await exchange(await comeBack((nonce) => signIdToken(claims({ nonce, ...changes }))))
    const { rows } = await google.server.sql.query(
      `select full_name, avatar_url from public.profiles where user_id = $1`,
      [session.user.id],
    )
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

  it('may have values of any wrong type', async () => {
    const { metadata } = await nameOf({ name: ['x'], given_name: 1, family_name: {}, picture: 7, hd: '<b>' })
    expect(metadata).not.toHaveProperty('custom_claims')
  })

  it('keeps the Workspace domain', async () => {
    expect((await nameOf({ hd: 'acme.example' })).metadata.custom_claims).toEqual({ hd: 'acme.example' })
  })
})
