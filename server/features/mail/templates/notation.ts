/*
 * The notation of email templates: text with `{{variable}}`. There is no logic in it, and what a variable stands for is
 * never read as notation again.
 */

const variablePattern = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}\}/g
// Overrides, embeddings and isolates that a value leaves open would turn the text behind it around.
const directions = /[\u202A-\u202E\u2066-\u2069]/g

/** The variables that a text uses, each once. */
export function findVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(variablePattern), ([, name = '']) => name))]
}

/** Braces that name no variable: `{{#if x}}`, `{{`, `}}`. Undefined: there are none. */
export function findStrayBraces(text: string): string | undefined {
  const rest = text.replaceAll(variablePattern, ' ')
  return /\{\{[^{}]*\}\}/.exec(rest)?.[0] ?? /\{\{|\}\}/.exec(rest)?.[0]
}

/**
 * The text with values in place of its variables. An empty value takes a space beside it along: “a {{b}} c” becomes “a c”.
 * A variable without a value is empty.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  let filled = ''
  let isAfterGap = false
  // Odd parts are names.
  for (const [index, part] of text.split(variablePattern).entries()) {
    const isName = index % 2 === 1
    const added = isName ? (Object.hasOwn(values, part) ? (values[part] ?? '') : '').replaceAll(directions, '') : part
    if (isName && added === '') isAfterGap = true
    if (added === '') continue
    const isDoubled = isAfterGap && !isName && added.startsWith(' ') && (filled === '' || filled.endsWith(' '))
    filled += isDoubled ? added.slice(1) : added
    isAfterGap = false
  }
  return isAfterGap && filled.endsWith(' ') ? filled.slice(0, -1) : filled
}

/** Paragraphs of a text: a blank line begins the next. Single line breaks are spaces. */
export function splitParagraphs(text: string): string[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.trim().replaceAll(/[ \t]*\n[ \t]*/g, ' '))
    .filter((paragraph) => paragraph !== '')
}
