import { describe, expect, it } from 'vitest'
import { checkMinutes, readLimit, writeLimit } from './threshold-units.ts'

describe('limits of thresholds', () => {
  it('are typed in GiB where the figure is in bytes', () => {
    expect(writeLimit('memory_bytes', 1.5 * 1024 ** 3)).toBe('1.5')
    expect(readLimit('memory_bytes', ' 1,5 ')).toBe(1.5 * 1024 ** 3)
    expect([writeLimit('delay_ms', 500), readLimit('delay_ms', '250')]).toEqual(['500', 250])
  })

  it.each(['', '-1', 'ten', '1e9', '1.5', '1 000'])('refuse %s', (typed) => {
    expect(readLimit('delay_ms', typed)).toBeUndefined()
  })

  it('take 1 to 1,440 minutes', () => {
    expect(['1', '1440'].map(checkMinutes)).toEqual([true, true])
    expect(['0', '1441', '1.5', ''].map((typed) => typeof checkMinutes(typed))).toEqual(Array(4).fill('string'))
  })
})
