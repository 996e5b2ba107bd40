import { describe, expect, it } from 'vitest'
import { formatBytes } from './format-bytes.ts'

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [5, '5 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [812_345, '812 kB'],
    [999_600, '1 MB'],
    [3_440_000, '3.4 MB'],
    [250_000_000, '250 MB'],
    [5_000_000_000_000, '5000 GB'],
  ])('%i is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
})
