import { describe, expect, it } from 'vitest'
import { createUuidV7 } from './uuid-v7.ts'

describe('createUuidV7', () => {
  it('has the version, the variant and the time of RFC 9562', () => {
    for (let i = 0; i < 1000; i++) {
      const id = createUuidV7(1_645_557_742_000)
      expect(id).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  it('does not repeat', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => createUuidV7())).size).toBe(10_000)
  })

  it('sorts by time', () => {
    expect(createUuidV7(1000) < createUuidV7(1001)).toBe(true)
  })
})
