/*
 * Lists of people as they are pasted: `ada@example.com`, `Ada <ada@example.com>`, `"Lovelace, Ada" <ada@example.com>`,
 * one a line or separated by commas, semicolons, tabs or, if they are bare addresses, spaces.
 */

/** Most people that one request invites. */
export const maxRecipients = 100

/** One person of a pasted text. */
export interface Entry {
  /** Where it begins, from 1. */
  readonly line: number
  readonly text: string
}

// What surrounds an entry in lists: spaces of any kind, also of no width, and bullets or numbers.
const space = /[\s\u200b-\u200d\u2060\ufeff]/
const bullet = /^(?:[-*•·]|\d{1,5}[.)])\s+/

/** The entries of a pasted text, in its order. Takes time in proportion to its length, whatever it is. */
export function splitRecipients(text: string): Entry[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, index) =>
    splitLine(line)
      .map((part) => trim(trim(part).replace(bullet, '')))
      .filter((part) => part !== '')
      .flatMap(splitBareAddresses)
      .map((part) => ({ line: index + 1, text: part })),
  )
}

/** At commas, semicolons and tabs outside quotes and angle brackets. */
function splitLine(line: string): string[] {
  const parts: string[] = []
  let start = 0
  // A comma may be part of a name: `Lovelace, Ada <ada@example.com>`. Known once the part ends.
  let commas: number[] = []
  let hasAddress = false
  const endPart = (end: number) => {
    for (const comma of [...commas, end]) {
      parts.push(line.slice(start, comma))
      start = comma + 1
    }
    commas = []
    hasAddress = false
  }
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]
    if (character === ';' || character === '\t' || (character === ',' && hasAddress)) endPart(at)
    else if (character === ',') commas.push(at)
    else if (character === '@') hasAddress = true
    else if (character === '"' || character === '<') {
      const close = findClosing(line, character === '<' ? '>' : '"', at + 1)
      if (close === undefined) continue
      // The text before the brackets is a name, with its commas.
      if (character === '<') {
        commas = []
        hasAddress = true
      }
      at = close
    }
  }
  endPart(line.length)
  return parts
}

/** Within the longest name or address; beyond that, quote and bracket are characters like any other. */
function findClosing(line: string, closing: string, from: number): number | undefined {
  const at = line.slice(from, from + longestQuoted).indexOf(closing)
  return at < 0 ? undefined : from + at
}

const longestQuoted = 300

function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && space.test(text.charAt(start))) start += 1
  while (end > start && space.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function splitBareAddresses(part: string): string[] {
  const words = part.split(/\s+/)
  return words.every((word) => word.includes('@')) && !part.includes('<') ? words : [part]
}

/** The problem of one entry, as a message of validation: `is not an email address`. */
interface EntryProblem {
  readonly index: number
  readonly message: string
}

/**
 * The addresses of entries, in lower case, in the entries' order.
 *
 * @param isAddress whether a lower-case text is an address
 * @returns also the problems; an entry with one has no address
 */
export function readRecipients(
  entries: readonly string[],
  isAddress: (text: string) => boolean,
): { emails: Map<number, string>; problems: EntryProblem[] } {
  const emails = new Map<number, string>()
  const seen = new Set<string>()
  const problems: EntryProblem[] = []
  for (const [index, entry] of entries.entries()) {
    const email = readAddress(entry)
    const message = findLookalike(email) ?? (isAddress(email) ? undefined : 'is not an email address')
    if (message !== undefined) problems.push({ index, message })
    else if (seen.has(email)) problems.push({ index, message: 'is in this list more than once' })
    else emails.set(index, email)
    seen.add(email)
  }
  return { emails, problems }
}

function readAddress(entry: string): string {
  const text = /<([^<>]*)>[\s.]*$/.exec(entry)?.[1] ?? entry
  return trim(text)
    .replace(/^mailto:/i, '')
    .toLowerCase()
}

/** A letter that looks like a Latin one but makes the address another person's, or is none that an address may have. */
function findLookalike(email: string): string | undefined {
  const character = [...email].find((each) => (each.codePointAt(0) ?? 0) > 0x7e)
  if (character === undefined || !email.includes('@')) return undefined
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const script = [
    [/\p{Script=Cyrillic}/u, 'the Cyrillic letter '] as const,
    [/\p{Script=Greek}/u, 'the Greek letter '] as const,
  ].find(([pattern]) => pattern.test(character))
  const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character)
  return `contains ${script?.[1] ?? ''}${isVisible ? `“${character}” (${code})` : code}; addresses have Latin letters only`
}
