import { describe, expect, it } from 'vitest'
import { findSafeHref, formatPage, shortenPage } from './page-link.ts'

describe('findSafeHref', () => {
  it.each(['https://example.com/a?b#c', 'http://localhost:3000/'])('links to %s', (url) =>
    expect(findSafeHref(url)).toBe(url),
  )

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    '/relative',
    '//example.com',
    '',
  ])('does not link to %j', (url) => expect(findSafeHref(url)).toBeUndefined())
})

describe('shortenPage', () => {
  it.each([
    ['https://www.example.com/', 'example.com'],
    ['https://example.com/pricing?utm_source=mail#plans', '/pricing'],
    ['https://example.com/products/chairs/12', '/products/chairs/12'],
    ['https://example.com/products/chairs/outdoor/folding-chair', '…/folding-chair'],
    ['https://example.com/products/folding-chair-with-a-cushion', 'example.com'],
    ['', ''],
  ])('shows %s as %s', (url, shown) => expect(shortenPage(url)).toBe(shown))
})

describe('formatPage', () => {
  it('shows what tells pages apart', () => {
    expect(formatPage('https://www.example.com/')).toBe('example.com')
    expect(formatPage('https://example.com/pricing/')).toBe('example.com/pricing/')
    expect(formatPage('javascript:alert(1)')).toBe('javascript:alert(1)')
  })
})
