/*
 * What visitors and their browsers send is kept whatever it holds, in a form that PostgreSQL, mails and exports can
 * carry: half surrogate pairs become U+FFFD, control characters become spaces. Nothing is a reason to lose feedback.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g

export function cleanText(text: string): string {
  return text.toWellFormed().replace(control, ' ')
}

/** As {@link cleanText}, on one line: what names, marks or identifies has to fit into a form's field and an address. */
export function cleanLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
}

/** Deepest nesting that is kept. */
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

/** The value with every text in it cleaned, keys included. Only for values that are shallow. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanJson)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleanText(key), cleanJson(each)]))
  }
  return value
}
