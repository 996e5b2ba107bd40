import { describe, expect, it } from 'vitest'
import { formatFullTime, formatRelativeTime, formatShortTime } from './relative-time.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const ago = (ms: number) => new Date(now - ms).toISOString()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('formatRelativeTime', () => {
  it.each([
    [-5000, 'just now', 'now'],
    [59_999, 'just now', 'now'],
    [minute, '1 min ago', '1m'],
    [59 * minute, '59 min ago', '59m'],
    [hour, '1 h ago', '1h'],
    [day - 1, '23 h ago', '23h'],
    [day, '1 day ago', '1d'],
    [6 * day, '6 days ago', '6d'],
    [9 * day, '12 Nov', '12 Nov'],
    [375 * day, '11 Nov 2025', '11 Nov 2025'],
  ])('says how long ago %d ms are', (ageMs, long, short) => {
    expect(formatRelativeTime(ago(ageMs), now)).toBe(long)
    expect(formatShortTime(ago(ageMs), now)).toBe(short)
  })

  it('says nothing of what is no time', () => {
    expect(formatShortTime('yesterday', now)).toBe('')
    expect(formatFullTime('yesterday')).toBe('')
  })
})
