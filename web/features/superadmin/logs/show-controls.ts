const invisible = /[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/gu

/** The text with characters that no one can see, or that turn the direction of others, as `\u{…}`. */
export function showControls(text: string): string {
  return text.replaceAll(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`
  })
}
