import { describe, expect, it } from 'vitest'
import { isEmailAddress } from './address.ts'

const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`

describe('isEmailAddress', () => {
  it.each([
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'hara@example.co.uk",
    'a@xn--mnchen-3ya.de',
    '1@2.com',
    longest,
  ])('accepts %s', (text) => {
    expect(isEmailAddress(text)).toBe(true)
  })

  it('accepts 254 characters and no more', () => {
    expect(longest).toHaveLength(254)
    expect(isEmailAddress(longest.replace('.com', '.comm'))).toBe(false)
  })

  it.each([
    '',
    'a',
    '@',
    'a@',
    '@b.co',
    'a@b',
    'a@@b.co',
    'a@b@c.co',
    'a@b..co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a@.b.co',
    'a@b.co.',
    'a@-b.co',
    'a@b-.co',
    'a b@c.co',
    ' a@b.co',
    'a@b.co ',
    'a@b.co\r\nBcc: c@d.co',
    'a@b.co,c@d.co',
    '=?utf-8?q?x?=@ex.com',
    'a@b.co;c@d.co',
    '"a b"@c.co',
    'Name <a@b.co>',
    '<a@b.co>',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'ä@b.co',
    'a@münchen.de',
    'a\0@b.co',
    `${'a'.repeat(65)}@b.co`,
  ])('refuses %j', (text) => {
    expect(isEmailAddress(text)).toBe(false)
  })
})
