import { describe, expect, it } from 'vitest'
import { computeRemainingSeconds } from './cooldown.ts'

describe('computeRemainingSeconds', () => {
  const startedAtMs = 1_000_000

  it('is over when it never began', () => {
    expect(computeRemainingSeconds(undefined, startedAtMs)).toBe(0)
  })

  it.each([
    [0, 60],
    [1, 60],
    [999, 60],
    [1000, 59],
    [59_000, 1],
    [59_999, 1],
    [60_000, 0],
    [600_000, 0],
  ])('after %i ms %i s are left', (passedMs, seconds) => {
    expect(computeRemainingSeconds(startedAtMs, startedAtMs + passedMs)).toBe(seconds)
  })

  it('does not grow when the clock is set back', () => {
    expect(computeRemainingSeconds(startedAtMs, startedAtMs - 3_600_000)).toBe(60)
  })
})
