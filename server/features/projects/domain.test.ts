import { describe, expect, it } from 'vitest'
import { normaliseDomain } from './domain.ts'

describe('normaliseDomain', () => {
  it.each([
    ['example.com', 'example.com'],
    [' Example.COM. ', 'example.com'],
    ['www.example.com', 'example.com'],
    ['app.example.co.uk', 'app.example.co.uk'],
    ['müller.example', 'xn--mller-kva.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['www.com', 'www.com'],
  ])('reads %j as %s', (typed, domain) => {
    expect(normaliseDomain(typed)).toBe(domain)
  })

  it.each([
    '',
    ' ',
    'https://example.com',
    'example.com/path',
    'example.com:80',
    'intranet',
    '-a.com',
    'a..com',
    '*.example.com',
    'a b.com',
    '1.2.3',
    '[::1]',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
    'exa mple.com',
    'user@example.com',
    '12345',
    '2130706433',
    '0.0.48.57',
    '255.255.255.255',
  ])('refuses %j', (typed) => {
    expect(normaliseDomain(typed)).toBeUndefined()
  })
})
