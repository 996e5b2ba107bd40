import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRefreshTokenKey, formatRefreshToken, isRefreshTokenGenuine, parseRefreshToken } from './refresh-token.ts'

const key = createRefreshTokenKey()

describe('refresh tokens', () => {
  it('are parsed to their session and count', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat({ max: Number.MAX_SAFE_INTEGER }), (sessionId, counter) => {
        const token = formatRefreshToken({ sessionId, counter }, key)
        expect(parseRefreshToken(token)).toEqual({ sessionId, counter })
        expect(isRefreshTokenGenuine(token, key)).toBe(true)
        expect(isRefreshTokenGenuine(token, createRefreshTokenKey())).toBe(false)
      }),
    )
  })

  it('are refused with any bit changed', () => {
    const token = formatRefreshToken({ sessionId: '0b5a3c1e-7d2f-4a86-9b1c-2d3e4f5a6b7c', counter: 300 }, key)
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(isRefreshTokenGenuine(changed.toString('base64url'), key)).toBe(false)
    }
  })

  it('are refused in any other spelling', () => {
    const token = formatRefreshToken({ sessionId: '0b5a3c1e-7d2f-4a86-9b1c-2d3e4f5a6b7c', counter: 1 }, key)
    for (const other of [`${token}=`, `${token} `, ` ${token}`, token.replace(/.$/, ''), `${token}A`, '']) {
      expect(isRefreshTokenGenuine(other, key)).toBe(false)
    }
  })

  it('never throw on noise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.uint8Array({ maxLength: 60 }).map((b) => Buffer.from(b).toString('base64url')),
        ),
        (text) => {
          expect(parseRefreshToken(text)).toBeUndefined()
        },
      ),
    )
  })
})
