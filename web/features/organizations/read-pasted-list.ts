import { type Entry, maxRecipients, readRecipients, splitRecipients } from '#contract/recipients.ts'
import type { ApiError } from '#web/lib/api.ts'
import { findEmailProblem } from '#web/lib/email-address.ts'
import { locale } from '#web/lib/locale.ts'

/** A pasted entry that can't be invited. */
export interface RefusedEntry {
  readonly entry: Entry
  /** Its place in the list, from 0. */
  readonly index: number
  /** Its problem: `is not an email address`. */
  readonly message: string
}

/** A longer text is not read at all. */
const longestText = 100_000

/** The entries of a pasted list; `refused` has those that the server would refuse. */
export function readPastedList(text: string): {
  entries: Entry[]
  refused: RefusedEntry[]
  /** About the list as a whole. */
  problem: string | undefined
} {
  if (text.length > longestText) return { entries: [], refused: [], problem: describeTooMany(countLines(text)) }
  const entries = splitRecipients(text)
  if (entries.length > maxRecipients) return { entries, refused: [], problem: describeTooMany(entries.length) }
  const { problems } = readRecipients(
    entries.map((entry) => entry.text),
    (email) => findEmailProblem(email) === undefined,
  )
  return { entries, refused: toRefused(entries, problems), problem: undefined }
}

/** The entries that the server refused; undefined when it refused something else. */
export function readRefusedEntries(entries: readonly Entry[], error: ApiError): RefusedEntry[] | undefined {
  const problems = (error.problem.fields ?? []).map(({ path, message }) => ({
    index: Number(/^body\.recipients\.(\d+)$/.exec(path)?.[1] ?? Number.NaN),
    message,
  }))
  const refused = toRefused(entries, problems)
  return refused.length > 0 ? refused : undefined
}

/** The list without these entries, one a line. */
export function writeListWithout(entries: readonly Entry[], refused: readonly RefusedEntry[]): string {
  const out = new Set(refused.map(({ index }) => index))
  return entries
    .filter((_entry, index) => !out.has(index))
    .map(({ text }) => text)
    .join('\n')
}

function toRefused(entries: readonly Entry[], problems: readonly { index: number; message: string }[]): RefusedEntry[] {
  return problems.flatMap(({ index, message }) => {
    const entry = entries[index]
    return entry ? [{ entry, index, message }] : []
  })
}

function describeTooMany(count: number): string {
  return `This list has ${count.toLocaleString(locale)} entries. Invite at most ${maxRecipients} people at once.`
}

function countLines(text: string): number {
  return text.split('\n').length
}
