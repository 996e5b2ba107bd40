import { describe, expect, it } from 'vitest'
import { findClearTop } from './clear-top.ts'

const toast = { left: 800, right: 1200, height: 60 }
const box = (top: number, bottom: number, left = 900, right = 1000) => ({ top, bottom, left, right })

describe('findClearTop', () => {
  it('leaves the toast where it is when nothing is under it', () => {
    expect(findClearTop(toast, [], 56, 800)).toBe(56)
    expect(findClearTop(toast, [box(0, 56), box(116, 200), box(60, 90, 100, 700)], 56, 800)).toBe(56)
  })

  it('goes below what it would cover, one after the other', () => {
    expect(findClearTop(toast, [box(40, 80)], 56, 800)).toBe(88)
    expect(findClearTop(toast, [box(120, 160), box(40, 80)], 56, 800)).toBe(168)
  })

  it('stays when there is no room below', () => {
    expect(findClearTop(toast, [box(0, 780)], 56, 800)).toBe(56)
  })
})
