import { describe, expect, it } from 'vitest'
import { createTokenBuckets, rateKeyOf } from './token-buckets.ts'

describe('token buckets', () => {
  it('grants its capacity at once and then one at a time', () => {
    let now = 0
    const buckets = createTokenBuckets({ capacity: 3, refillMs: 60_000, now: () => now })
    expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([undefined, undefined, undefined])
    expect(buckets.take('a')).toBe(20)
    expect(buckets.take('b')).toBeUndefined()
    now = 20_000
    expect(buckets.take('a')).toBeUndefined()
    expect(buckets.take('a')).toBe(20)
  })

  it('forgets the longest unused keys when it holds too many', () => {
    const buckets = createTokenBuckets({ capacity: 1, refillMs: 60_000, now: () => 0 })
    for (let index = 0; index < 60_000; index += 1) buckets.take(`key ${index}`)
    expect(buckets.take('key 59999')).toBe(60)
    expect(buckets.take('key 0')).toBeUndefined()
  })
})

describe('rate key of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s counts as %s', (ip, key) => {
    expect(rateKeyOf(ip)).toBe(key)
  })
})
