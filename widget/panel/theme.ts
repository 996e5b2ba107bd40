import { inkOn, luminance, parseColor, type Rgb } from '../loader/contrast.ts'

/** Contrast ratio of two luminances, 1 to 21. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/**
 * The accent, moved as little as needed towards black (or white) until it stands out from a surface of the given
 * luminance by the given ratio, so that it can be text there.
 */
function readableOn(surface: number, color: Rgb, ratio: number): Rgb {
  const towards = surface > 0.5 ? 0 : 255
  let mixed = color
  for (let step = 1; step <= 20 && contrast(luminance(mixed), surface) < ratio; step++) {
    mixed = color.map((channel) => Math.round(channel + ((towards - channel) * step) / 20)) as unknown as Rgb
  }
  return mixed
}

/** CSS custom properties for an accent: fill and ink on it, and the same accent as text on a light and a dark surface. */
export function themeProperties(accent: string): Record<string, string> {
  const color = parseColor(accent)
  const light = readableOn(luminance([246, 246, 248]), color, 4.5)
  // More on dark, or what is chosen would look fainter than what is not.
  const dark = readableOn(luminance([44, 44, 50]), color, 6.5)
  return {
    '--fill': `rgb(${color})`,
    '--fill-ink': inkOn(color),
    '--light': `rgb(${light})`,
    '--dark': `rgb(${dark})`,
  }
}
