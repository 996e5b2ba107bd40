import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { luminance, parseColor, type Rgb } from '../loader/contrast.ts'
import { themeProperties } from './theme.ts'

// The whole formula of WCAG 2.2, written apart from the one under test.
function exactLuminance(color: Rgb): number {
  const linear = color.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [exactLuminance(one), exactLuminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function read(value: string | undefined): Rgb {
  if (value === '#fff') return [255, 255, 255]
  if (value === '#000') return [0, 0, 0]
  return value?.match(/\d+/g)?.map(Number) as unknown as Rgb
}

const accents = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('themeProperties', () => {
  it('makes every accent readable: its ink on it, and itself on both surfaces', () => {
    fc.assert(
      fc.property(accents, (accent) => {
        const theme = themeProperties(accent)
        expect(contrast(read(theme['--fill']), read(theme['--fill-ink']))).toBeGreaterThanOrEqual(4.5)
        expect(contrast(read(theme['--light']), [255, 255, 255])).toBeGreaterThanOrEqual(4.5)
        expect(contrast(read(theme['--dark']), [28, 28, 32])).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('luminance', () => {
  it('is close to the whole formula', () => {
    fc.assert(
      fc.property(accents, (accent) => {
        const color = parseColor(accent)
        expect(Math.abs(luminance(color) - exactLuminance(color))).toBeLessThan(0.002)
      }),
      { numRuns: 2000 },
    )
  })
})
