/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** Reads `#rrggbb`, the form in which colours are stored. */
export function parseColor(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** Relative luminance from 0 (black) to 1 (white), as WCAG 2.2 defines it. */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    // `map` keeps the three channels.
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio of two luminances, 1 to 21 (WCAG 2.2). */
export function contrastRatio(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Text colour that reads on the given background: white or black, whichever contrasts more (always over 4.5). */
export function inkOn(color: Rgb): '#000' | '#fff' {
  // White and black contrast equally at this luminance: 1.05 / (l + 0.05) = (l + 0.05) / 0.05.
  return luminance(color) > 0.179 ? '#000' : '#fff'
}
