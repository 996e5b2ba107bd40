import { describe, expect, it } from 'vitest'
import { formatItems, formatQuantity } from './format-count.ts'

describe('formatItems', () => {
  it.each([
    [0, '0 items'],
    [1, '1 item'],
    [1204, '1,204 items'],
  ])('writes %i as %s', (count, words) => expect(formatItems(count)).toBe(words))

  it('says where counting ended', () => {
    expect(formatItems(999, 1000)).toBe('999 items')
    expect(formatItems(1000, 1000)).toBe('1,000 or more items')
  })
})

describe('formatQuantity', () => {
  it('makes the plural of its noun', () => {
    expect(formatQuantity(1, 'file')).toBe('1 file')
    expect(formatQuantity(2, 'file')).toBe('2 files')
  })
})
