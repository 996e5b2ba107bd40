import { describe, expect, it } from 'vitest'
import { readColor } from './read-color.ts'

describe('readColor', () => {
  it.each([
    ['#0f766e', '#0f766e'],
    [' 0F766E ', '#0f766e'],
    ['#0f7', '#00ff77'],
    ['red', undefined],
    ['#0f766', undefined],
    ['', undefined],
    ['rgb(1, 2, 3)', undefined],
  ])('reads %j as %j', (typed, color) => {
    expect(readColor(typed)).toBe(color)
  })
})
