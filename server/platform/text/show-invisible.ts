/*
 * Characters that people can't see and programs read: controls other than line breaks and tabs, format characters
 * (zero-width, bidirectional controls, the tags block), separators, broken surrogates, private use, variation selectors, and
 * letters and marks without a shape.
 */
const invisible =
  /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]|\u{034F}|\u{17B4}|\u{17B5}|(?![\n\t])\p{Cc}/gu

/** The text with invisible characters as `\u{…}`, so that people and models read the same. */
export function showInvisible(text: string): string {
  return text.replaceAll(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`
  })
}
