import { describe, expect, it } from 'vitest'
import { isHostAllowed } from './hosts.ts'

describe('isHostAllowed', () => {
  it.each(['example.com', 'shop.example.com', 'a.b.example.com', 'localhost', 'app.localhost', '127.0.0.1', '[::1]'])(
    'allows %s',
    (hostname) => expect(isHostAllowed(hostname, ['example.com'])).toBe(true),
  )

  it.each([
    'notexample.com',
    'example.com.evil.test',
    'com',
    '',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    '10.0.0.1',
  ])('refuses %j', (hostname) => expect(isHostAllowed(hostname, ['example.com'])).toBe(false))

  it('knows several hosts', () => expect(isHostAllowed('b.test', ['a.test', 'b.test'])).toBe(true))
})
