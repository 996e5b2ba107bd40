import { describe, expect, it } from 'vitest'
import { readBasePath, stripBasePath } from './base-path.ts'

describe('readBasePath', () => {
  it.each([
    ['https://example.org', ''],
    ['https://example.org/', ''],
    ['https://example.org/feedback', '/feedback'],
    ['https://example.org/tools/feedback/', '/tools/feedback'],
  ])('reads the path of %s', (appUrl, expected) => {
    expect(readBasePath(appUrl)).toBe(expected)
  })
})

describe('stripBasePath', () => {
  it.each([
    ['/feedback', '/'],
    ['/feedback/', '/'],
    ['/feedback?a=1', '/?a=1'],
    ['/feedback/dashboard?a=/feedback', '/dashboard?a=/feedback'],
    ['/feedback//host', '//host'],
    ['/feedback-form', '/feedback-form'],
    ['/health', '/health'],
  ])('reads %s as %s below /feedback', (url, expected) => {
    expect(stripBasePath(url, '/feedback')).toBe(expected)
  })

  it('keeps every URL where there is no base path', () => {
    expect(stripBasePath('/feedback/x', '')).toBe('/feedback/x')
  })
})
