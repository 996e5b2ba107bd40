import { describe, expect, it } from 'vitest'
import { padTarget, placeTooltip } from './place-tooltip.ts'

const view = { width: 1280, height: 800 }
const tooltip = { width: 320, height: 180 }

describe('placeTooltip', () => {
  it('stands 16 px beside its target', () => {
    expect(placeTooltip({ left: 12, top: 60, width: 216, height: 32 }, tooltip, view)).toEqual({ left: 244, top: 60 })
  })
  it('stands below or above where there is no room beside it, within the window', () => {
    const button = { left: 1150, width: 110, height: 36 }
    expect(placeTooltip({ ...button, top: 20 }, tooltip, view)).toEqual({ left: 948, top: 72 })
    expect(placeTooltip({ ...button, top: 740 }, tooltip, view)).toEqual({ left: 948, top: 544 })
  })
  it('stands in the middle without a target', () => {
    expect(placeTooltip(undefined, tooltip, view)).toEqual({ left: 480, top: 310 })
  })
  it('stays within a small window', () => {
    expect(placeTooltip(undefined, tooltip, { width: 320, height: 400 })).toEqual({ left: 12, top: 110 })
  })
})

it('highlights a target with 4 px around it', () => {
  expect(padTarget({ left: 10, top: 20, width: 100, height: 30 })).toEqual({ left: 6, top: 16, width: 108, height: 38 })
})
