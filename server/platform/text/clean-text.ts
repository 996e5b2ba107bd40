/*
 * Text from visitors and their browsers is always stored, in a form that PostgreSQL, emails and exports support: lone
 * surrogates become U+FFFD, control characters become spaces. No character may cause the loss of feedback.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g

export function cleanText(text: string): string {
  return text.toWellFormed().replace(control, ' ')
}

/** As {@link cleanText}, on one line: names, tags and ids have to fit into a form field and a URL. */
export function cleanLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
}

/** The deepest stored nesting. */
export const maxJsonDepth = 20

/** Whether the value nests no deeper than {@link maxJsonDepth}. Walks without recursion: depth is the attack. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxJsonDepth) return false
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return true
}

/** The value with all strings cleaned, keys included. Only for shallow values. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanJson)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleanText(key), cleanJson(each)]))
  }
  return value
}
