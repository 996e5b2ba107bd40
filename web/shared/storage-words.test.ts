import { describe, expect, it } from 'vitest'
import { describeStanding, describeUse } from './storage-words.ts'

describe('describeUse', () => {
  it.each([
    [0, 50_000_000_000, '0 B of 50 GB'],
    [1_234_000_000, 50_000_000_000, '1.2 GB of 50 GB'],
    [812_345, null, '812 kB'],
  ])('%i of %s bytes is %s', (used, limit, text) => expect(describeUse(used, limit)).toBe(text))
})

describe('describeStanding', () => {
  it.each([
    [79, 100, undefined],
    [80, 100, 'Nearly full.'],
    [100, 100, 'Full. Delete something to make room.'],
    [120, 100, 'Full. Delete something to make room.'],
    [120, null, undefined],
  ])('says of %i of %s: %s', (used, limit, text) => expect(describeStanding(used, limit)).toBe(text))
})
