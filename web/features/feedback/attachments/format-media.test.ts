import { describe, expect, it } from 'vitest'
import { formatDuration } from './format-media.ts'

describe('formatDuration', () => {
  it.each([
    [0, '0:00'],
    [999, '0:01'],
    [65_000, '1:05'],
    [599_400, '9:59'],
    [3_661_000, '1:01:01'],
    [-5, '0:00'],
  ])('%i ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})
