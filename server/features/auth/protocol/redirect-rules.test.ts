import { describe, expect, it } from 'vitest'
import { createRedirectRules, type RedirectOptions } from './redirect-rules.ts'

const siteUrl = 'https://app.example.com'

function choose(candidate: string, options: Partial<RedirectOptions> = {}): string {
  return createRedirectRules({ siteUrl, allowList: [], production: true, ...options }).choose(candidate)
}

describe('createRedirectRules', () => {
  it.each([`${siteUrl}/`, `${siteUrl}/auth/callback?type=recovery`, `${siteUrl}/a#b`, `${siteUrl}:443/x`])(
    'allows the site itself: %s',
    (candidate) => {
      expect(choose(candidate)).toBe(new URL(candidate).href)
    },
  )

  it.each([
    'https://evil.example/',
    'http://app.example.com/',
    'https://app.example.com:444/',
    'https://app.example.com.evil.example/',
    'https://evil.example/?https://app.example.com/',
    'https://app.example.com@evil.example/',
    'https://user:secret@app.example.com/',
    'https://evil.example\\@app.example.com/',
    '//evil.example',
    '/relative',
    '\\\\evil.example',
    'javascript:alert(1)//https://app.example.com',
    'data:text/html,x',
    'blob:https://app.example.com/x',
    'file:///etc/passwd',
    'https://',
    'http://[::1',
    `${siteUrl}/${'x'.repeat(2100)}`,
  ])('refuses %s', (candidate) => {
    expect(choose(candidate)).toBe(siteUrl)
  })

  it.each([
    ['http://localhost:8000/*', 'http://localhost:8000/path', true],
    ['http://localhost:8000/*', 'http://localhost:8000/path/to/page', false],
    ['http://localhost:8000/**', 'http://localhost:8000/path/to/page?a=b', true],
    ['http://localhost:8000/*', 'http://localhost:3000/path', false],
    ['https://*.example.org/', 'https://a.example.org/', true],
    ['https://*.example.org/', 'https://a.b.example.org/', false],
    ['https://*.example.org/', 'https://evil.com/.example.org/', false],
    ['https://*-team.example.org/**', 'https://pr-7-team.example.org/auth/callback?type=recovery', true],
    ['https://exact.example.org/auth/callback', 'https://exact.example.org/auth/callback', true],
    ['https://exact.example.org/auth/callback', 'https://exact.example.org/auth/callback#x', true],
    ['https://exact.example.org/auth/callback', 'https://exact.example.org/auth/callback?x', false],
    ['https://exact.example.org/', 'https://exactXexample.org/', false],
    ['https://{a,b}.example.org/', 'https://b.example.org/', true],
    ['https://{a,b}.example.org/', 'https://c.example.org/', false],
    ['com.example.app://callback', 'com.example.app://callback', true],
    ['**', 'https://anything.example/', true],
    ['**', 'javascript:alert(1)', false],
    ['**', 'http://10.0.0.1/', false],
    ['**', 'http://2130706433/', false],
    ['**', 'http://0x7f.1/', false],
    ['**', 'http://[fd00::1]/', false],
  ])('glob %s against %s: %s', (glob, candidate, isAllowed) => {
    const chosen = choose(candidate, { allowList: [glob] })
    expect(chosen).toBe(isAllowed ? new URL(candidate).href : siteUrl)
  })

  it.each(['http://localhost:9999/x', 'http://127.0.0.1:1234/', 'http://[::1]:5173/', 'http://2130706433/'])(
    'allows loopback outside production alone: %s',
    (candidate) => {
      expect(choose(candidate, { production: false })).toBe(new URL(candidate).href)
      expect(choose(candidate, { production: true })).toBe(siteUrl)
    },
  )

  it('returns the first allowed candidate', () => {
    const rules = createRedirectRules({ siteUrl, allowList: [], production: true })
    expect(rules.choose(undefined, '', 'https://evil.example', `${siteUrl}/b`, `${siteUrl}/c`)).toBe(`${siteUrl}/b`)
    expect(rules.choose()).toBe(siteUrl)
  })
})
