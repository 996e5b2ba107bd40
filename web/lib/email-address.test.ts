import { describe, expect, it } from 'vitest'
import { findEmailProblem, normalizeEmail, readLinkAddress } from './email-address.ts'

describe('normalizeEmail', () => {
  it.each([
    ['  Ada@Example.COM ', 'ada@example.com'],
    ['ａｄａ@example.com', 'ada@example.com'],
    ['a\u0000da@exa\u0007mple.com', 'ada@example.com'],
    ['"ada"@example.com', 'ada@example.com'],
    ['<ada@example.com>', 'ada@example.com'],
    ['a/d\\a@example.com', 'ada@example.com'],
    ['ada  lovelace@example.com', 'ada lovelace@example.com'],
    ['ada\u00a0\u3000@example.com', 'ada @example.com'],
    ["o'hara`@example.com", 'ohara@example.com'],
    ['\u0085ada\u009f@example.com', 'ada@example.com'],
    ['\ufb01n@example.com', 'fin@example.com'],
    ['  ', ''],
  ])('%j → %j', (input, expected) => {
    expect(normalizeEmail(input)).toBe(expected)
  })
})

describe('findEmailProblem', () => {
  it('asks for an address', () => {
    expect(findEmailProblem('')).toBe('Email address is required')
  })

  it.each(['a@b.co', 'first.last+tag@sub.example.com', `${'a'.repeat(242)}@example.com`])('accepts %s', (email) => {
    expect(findEmailProblem(email)).toBeUndefined()
  })

  it.each([
    `${'a'.repeat(243)}@example.com`,
    'a b@example.com',
    '=?utf-8?q?x?=@ex.com',
    'a..b@example.com',
    'a@example..com',
    'example.com',
    'a@b@example.com',
    '@example.com',
    'a@',
    '.a@example.com',
    'a.@example.com',
    'a@example',
    'a@.example.com',
    'a@example.com.',
  ])('refuses %s', (email) => {
    expect(findEmailProblem(email)).toBe('Please enter a valid email address')
  })
})

describe('readLinkAddress', () => {
  it('trims and lowers the case, and does no more', () => {
    expect(readLinkAddress('  Ada@Example.COM ')).toBe('ada@example.com')
    expect(readLinkAddress('ａｄａ@example.com')).toBe('ａｄａ@example.com')
  })

  it.each(['', ' ', 'ada', 'ada@example', 'a b@example.com', 'a@b@example.com'])('refuses %j', (input) => {
    expect(readLinkAddress(input)).toBeUndefined()
  })
})
