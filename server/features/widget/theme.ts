import { contrastRatio, inkOn, luminance, parseColor, type Rgb } from '#contract/color.ts'
import type { PanelSettings } from '#contract/widget-settings.ts'

/**
 * The accent, moved as little as needed towards black (or white) until it stands out from a surface of the given
 * luminance by the given ratio, so that it can be text there.
 */
function readableOn(surface: number, color: Rgb, ratio: number): Rgb {
  const towards = surface > 0.5 ? 0 : 255
  let mixed = color
  for (let step = 1; step <= 20 && contrastRatio(luminance(mixed), surface) < ratio; step++) {
    // `map` keeps the three channels.
    mixed = color.map((channel) => Math.round(channel + ((towards - channel) * step) / 20)) as unknown as Rgb
  }
  return mixed
}

/** The colours of a panel with the given accent (`#rrggbb`): fill, ink on it, and the accent as text on light and dark. */
export function makeColors(accent: string): PanelSettings['colors'] {
  const color = parseColor(accent)
  const light = readableOn(luminance([246, 246, 248]), color, 4.5)
  // More on dark, or what is chosen would look fainter than what is not.
  const dark = readableOn(luminance([44, 44, 50]), color, 6.5)
  return { fill: accent, ink: inkOn(color), light: `rgb(${light})`, dark: `rgb(${dark})` }
}
