import { describe, expect, it } from 'vitest'
import { isFreshRecovery, isFromMail } from './sign-in-method.ts'

function makeSession(claims: unknown) {
  return { access_token: `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln` }
}

const now = 1_800_000_000

describe('isFromMail', () => {
  it.each(['recovery', 'otp', 'magiclink', 'email/signup'])('accepts %s as a proof', (method) => {
    expect(isFromMail(makeSession({ name: 'Zoë ~?', amr: [{ method, timestamp: now }] }))).toBe(true)
  })

  it.each([
    [{ amr: [{ method: 'password', timestamp: now }] }],
    [{ amr: [{ method: 'oauth', timestamp: now }] }],
    [{ amr: [] }],
    [{ amr: 'recovery' }],
    [{ amr: [null, 'recovery'] }],
    [{}],
    [null],
  ])('%j is none', (claims) => {
    expect(isFromMail(makeSession(claims))).toBe(false)
  })

  it.each(['', 'no-token', 'a.b.c', 'e30.!!!.x'])('accepts %j as no proof', (token) => {
    expect(isFromMail({ access_token: token })).toBe(false)
  })
})

describe('isFreshRecovery', () => {
  const recoveredAt = (timestamp: number) => makeSession({ amr: [{ method: 'recovery', timestamp }] })

  it('is true right after the link', () => {
    expect(isFreshRecovery(recoveredAt(now), (now + 2) * 1000)).toBe(true)
    expect(isFreshRecovery(recoveredAt(now), (now - 30) * 1000)).toBe(true)
  })

  it('ends after a while, although the session keeps the claim', () => {
    expect(isFreshRecovery(recoveredAt(now), (now + 3600) * 1000)).toBe(false)
  })

  it('looks at the latest sign-in', () => {
    const amr = [
      { method: 'password', timestamp: now },
      { method: 'recovery', timestamp: now - 10 },
    ]
    expect(isFreshRecovery(makeSession({ amr }), now * 1000)).toBe(false)
  })
})
