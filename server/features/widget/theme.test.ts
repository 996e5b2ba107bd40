import { describe, expect, it } from 'vitest'
import { contrastRatio, luminance, parseColor, type Rgb } from '#contract/color.ts'
import { makeColors } from './theme.ts'

const readRgb = (css: string) => css.match(/\d+/g)?.map(Number) as unknown as Rgb
const ratio = (a: Rgb, b: Rgb) => contrastRatio(luminance(a), luminance(b))
const light: Rgb = [246, 246, 248]
const dark: Rgb = [44, 44, 50]

// Every hue, pale to deep, and the ends.
const accents = ['#000000', '#ffffff', '#808080']
for (let red = 0; red < 256; red += 51) {
  for (let green = 0; green < 256; green += 51) {
    for (let blue = 0; blue < 256; blue += 51) {
      accents.push(`#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`)
    }
  }
}

describe('makeColors', () => {
  it('makes any accent readable: on it, on light, and on dark', () => {
    for (const accent of accents) {
      const colors = makeColors(accent)
      expect(colors.fill).toBe(accent)
      const ink: Rgb = colors.ink === '#fff' ? [255, 255, 255] : [0, 0, 0]
      expect(ratio(ink, parseColor(accent)), accent).toBeGreaterThanOrEqual(4.5)
      expect(ratio(readRgb(colors.light), light), accent).toBeGreaterThanOrEqual(4.5)
      expect(ratio(readRgb(colors.dark), dark), accent).toBeGreaterThanOrEqual(6.5)
    }
  })

  it('leaves an accent alone that reads as it is', () => {
    expect(makeColors('#123456').light).toBe('rgb(18,52,86)')
    expect(makeColors('#ffee00').dark).toBe('rgb(255,238,0)')
  })
})
