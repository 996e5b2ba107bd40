import { describe, expect, it } from 'vitest'
import { choosePause } from './back-off.ts'

describe('choosePause', () => {
  it('doubles with each failure up to the longest, of which at most half is chance', () => {
    const backOff = { firstMs: 100, longestMs: 1_000 }
    const full = [100, 200, 400, 800, 1_000, 1_000]
    for (const [index, fullMs] of full.entries()) {
      const pauses = Array.from({ length: 200 }, () => choosePause(backOff, index + 1))
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(fullMs / 2)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(fullMs)
      expect(new Set(pauses).size).toBeGreaterThan(1)
    }
  })
})
