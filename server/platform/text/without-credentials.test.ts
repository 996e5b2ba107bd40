import { describe, expect, it } from 'vitest'
import { withoutCredentials, withoutUrlCredentials } from './without-credentials.ts'

describe('withoutUrlCredentials', () => {
  it.each([
    ['https://shop.example/cart', 'https://shop.example/cart'],
    ['https://shop.example', 'https://shop.example'],
    ['https://ada:s3cret@shop.example/cart?a=b#c', 'https://shop.example/cart?a=b#c'],
    ['https://s3cret@shop.example/', 'https://shop.example/'],
    ['https://ada:s3@cret@shop.example/', 'https://shop.example/'],
    ['https:\\\\ada:s3cret@shop.example/', 'https://shop.example/'],
    ['https:ada:s3cret@shop.example/', 'https://shop.example/'],
    ['https://ada:s3 "cret@shop.example/', 'https://shop.example/'],
    ['https://shop.example/@ada:s3/x', 'https://shop.example/@ada:s3/x'],
    ['https://shop.example/?mail=ada@example.org', 'https://shop.example/?mail=ada@example.org'],
    ['https://shop.example/?next=https://ada:s3cret@x.example/', 'https://shop.example/?next=https://x.example/'],
  ])('%s becomes %s', (url, bare) => {
    expect(withoutUrlCredentials(url)).toBe(bare)
  })
})

describe('withoutCredentials', () => {
  it('keeps JSON valid, and everything but the credentials', () => {
    const value = { routes: [[1, 'https://ada:s3cret@x.example/a']], console: [[2, 'log', 'GET "http://a:b@y" ada@z']] }
    expect(JSON.parse(withoutCredentials(JSON.stringify(value)))).toEqual({
      routes: [[1, 'https://x.example/a']],
      console: [[2, 'log', 'GET "http://y" ada@z']],
    })
  })

  it('takes no longer than the text is long', () => {
    const before = performance.now()
    withoutCredentials('http://'.repeat(100_000))
    withoutCredentials(`http://${'a'.repeat(700_000)}`)
    expect(performance.now() - before).toBeLessThan(500)
  })
})
