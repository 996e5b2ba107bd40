import { describe, expect, it } from 'vitest'
import { readCookie, writeCookie } from './own-cookie.ts'

const cookie = { name: 'earshot-device', value: 'abc', lifeSeconds: 60 }

describe('writeCookie', () => {
  it.each([
    ['http://localhost:3000', 'earshot-device=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax'],
    ['https://example.org', '__Host-earshot-device=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure'],
    [
      'https://example.org/feedback',
      '__Secure-earshot-device=abc; Path=/feedback/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    ],
  ])('names host and path of %s', (appUrl, expected) => {
    expect(writeCookie(appUrl, cookie)).toBe(expected)
  })
})

describe('readCookie', () => {
  it('reads its own cookie among others, and none under another prefix', () => {
    const header = 'a=1; __Host-earshot-device=abc; earshot-device=forged'
    expect(readCookie('https://example.org', 'earshot-device', header)).toBe('abc')
    expect(readCookie('https://example.org/feedback', 'earshot-device', header)).toBeUndefined()
    expect(readCookie('https://example.org', 'earshot-device')).toBeUndefined()
  })
})
