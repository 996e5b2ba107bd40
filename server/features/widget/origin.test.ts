import { describe, expect, it } from 'vitest'
import { judgeOrigin } from './origin.ts'

describe('judgeOrigin', () => {
  it.each([
    [undefined, 'own'],
    ['https://example.com', 'own'],
    ['http://example.com:8080', 'own'],
    ['https://app.example.com', 'own'],
    ['https://example.net', 'own'],
    ['https://app.earshot.test', 'loopback'],
    ['http://app.earshot.test', 'foreign'],
    ['https://example.com.evil.test', 'foreign'],
    ['https://notexample.com', 'foreign'],
    ['https://evil.test', 'foreign'],
    ['null', 'foreign'],
    ['', 'foreign'],
    ['chrome-extension://example.com', 'foreign'],
    ['http://localhost:5173', 'loopback'],
    ['http://127.0.0.1', 'loopback'],
    ['http://127.9.9.9:1', 'loopback'],
    ['http://[::1]:3000', 'loopback'],
    ['http://shop.localhost', 'loopback'],
    ['http://localhost.evil.test', 'foreign'],
    ['http://127.0.0.1.evil.test', 'foreign'],
  ])('%s is %s', (origin, verdict) => {
    expect(judgeOrigin(origin, ['example.com', 'example.net'], 'https://app.earshot.test')).toBe(verdict)
  })

  it('takes loopback for its own when the project is about loopback', () => {
    expect(judgeOrigin('http://localhost:5173', ['localhost'], 'http://localhost:3000')).toBe('own')
  })
})
