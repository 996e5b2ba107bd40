/** Soft hyphens, zero-width and direction marks, and tag characters. Joiners stay: emoji, Persian and Hindi need them. */
const invisible = /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu

/**
 * The text without characters that no one sees: they hide words from readers, turn a line round, or end a mention's
 * escaping in another program.
 */
export function stripInvisible(text: string): string {
  return text.replaceAll(/[\u2028\u2029]/g, '\n').replaceAll(invisible, '')
}
