import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Linear = readonly [number, number, number]

const css = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8')
const pairs = [...css.matchAll(/--chart-\d: light-dark\((#\w{6}), (#\w{6})\)/g)]

/** How colours look to the colour-blind: Machado, Oliveira and Fernandes, 2009, at full severity, in linear RGB. */
const sights: Readonly<Record<string, readonly number[]>> = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}

function toLinear(hex: string): Linear {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function see([r, g, b]: Linear, m: readonly number[]): Linear {
  const row = (at: number) => Math.min(1, Math.max(0, (m[at] ?? 0) * r + (m[at + 1] ?? 0) * g + (m[at + 2] ?? 0) * b))
  return [row(0), row(3), row(6)]
}

/** OKLab, in which distances are about as far apart as colours look. */
function toOklab([r, g, b]: Linear): Linear {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function contrast(a: Linear, b: Linear): number {
  const luminance = ([red, green, blue]: Linear) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['light', 1, '#ffffff'],
  ['dark', 2, '#15191c'],
] as const)('colours of charts, %s', (_, index, surface) => {
  const colours = pairs.map((pair) => toLinear(pair[index] ?? ''))

  it('stand out from what they are drawn on', () => {
    expect(colours).toHaveLength(6)
    for (const colour of colours) expect(contrast(colour, toLinear(surface))).toBeGreaterThanOrEqual(3)
  })

  it.each(Object.entries(sights))('are told apart: %s', (_name, matrix) => {
    const seen = colours.map((colour) => toOklab(see(colour, matrix)))
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) {
        const distance = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
        // Neighbours on a wall chart differ by 0.02; six times that is a different colour to anyone.
        expect(distance).toBeGreaterThan(0.12)
      }
    }
  })
})
