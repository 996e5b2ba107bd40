import { describe, expect, it } from 'vitest'
import { formatBytes, formatDuration } from './format-media.ts'

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

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [812_345, '812 kB'],
    [999_600, '1 MB'],
    [3_440_000, '3.4 MB'],
    [250_000_000, '250 MB'],
    [5_000_000_000_000, '5000 GB'],
  ])('%i is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
})
