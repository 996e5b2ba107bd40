/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** Reads `#rrggbb`; anything else becomes a calm blue, so that a bad setting never makes an unreadable button. */
export function parseColor(color: string): Rgb {
  const digits = /^#([0-9a-f]{6})$/i.exec(color)?.[1] ?? '3056d3'
  const value = Number.parseInt(digits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** Relative luminance from 0 to 1 as WCAG 2.2 defines it. */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Text colour that reads on the given background: white or near black, whichever contrasts more (always over 4.5). */
export function inkOn(color: Rgb): string {
  // White and black contrast equally at this luminance: 1.05 / (l + 0.05) = (l + 0.05) / 0.05.
  return luminance(color) > 0.179 ? '#000' : '#fff'
}
