import { describe, expect, it } from 'vitest'
import { backOffMs, retryAfterMs } from './back-off.ts'

describe('backOffMs', () => {
  it('doubles to five minutes and no further', () => {
    expect([1, 2, 3, 9, 10, 500].map((attempts) => backOffMs(attempts, 1))).toEqual([
      1000, 2000, 4000, 256_000, 300_000, 300_000,
    ])
  })

  it('randomises half of the wait', () => {
    expect(backOffMs(3, 0)).toBe(2000)
  })
})

describe('retryAfterMs', () => {
  it('reads seconds', () => expect(retryAfterMs('7')).toBe(7000))
  it('reads a date', () => expect(retryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 20_000)).toBe(40_000))
  it('takes a date in the past as now', () => expect(retryAfterMs('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0))
  it('never waits longer than an hour', () => expect(retryAfterMs('86400')).toBe(3_600_000))
  it.each([undefined, '', 'soon', '-1x'])('ignores %j', (header) => expect(retryAfterMs(header)).toBe(0))
})
