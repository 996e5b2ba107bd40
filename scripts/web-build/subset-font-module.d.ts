declare module 'subset-font' {
  /** @returns the font with the given characters alone, within the given ranges of its axes or at one point of them. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2' | 'truetype'
      /** Tags of the OpenType features that stay; all by default. */
      keepFeatures?: readonly string[]
      variationAxes?: Readonly<Record<string, { min: number; max: number } | number>>
    },
  ): Promise<Uint8Array>
}
