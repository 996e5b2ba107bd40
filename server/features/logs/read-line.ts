import { levelNumbers } from '#server/platform/log/waiting-lines.ts'
import { addWords, hash, isDictionaryWord, levelToken, processToken } from './tokens.ts'

/** A line of the log as a row of the table. */
export interface StoredLine {
  readonly at: Date
  readonly level: number
  readonly requestId: string | null
  readonly message: string
  /** JSON of all other fields. */
  readonly fields: string
  readonly tokens: readonly number[]
  /** Words of it that a part of a word is looked up in. */
  readonly words: readonly string[]
}

const longestRequestId = 200
/** Lines of before have waited for a database that was away. */
const oldestMs = 86_400_000
/** Clocks differ by less. */
const newestMs = 60_000
const numbers = Object.values(levelNumbers)

/** Reads a finished, scrubbed line. Never throws: what is no line of ours is stored as a message. */
export function readLine(text: string, process: string, nowMs: number): StoredLine {
  const { level, time, msg, requestId, reqId, ...fields } = parse(text)
  const id = requestId ?? reqId
  // Another name gives undefined.
  const number = levelNumbers[level as keyof typeof levelNumbers] ?? levelNumbers.info
  const message = toStorable(typeof msg === 'string' ? msg : msg === undefined ? '' : String(msg))
  const words = new Set<string>()
  addWords(message, words)
  addWords(fields, words)
  if (typeof id === 'string') addWords(id, words)
  const tokens = new Set<number>([processToken(process)])
  for (const each of numbers) if (each <= number) tokens.add(levelToken(each))
  for (const word of words) tokens.add(hash(word))
  return {
    at: readTime(time, nowMs),
    level: number,
    requestId: typeof id === 'string' && id !== '' ? toStorable(id).slice(0, longestRequestId) : null,
    message,
    // JSON escapes NUL and halves of surrogate pairs, so that PostgreSQL's text takes them.
    fields: JSON.stringify(fields),
    tokens: [...tokens],
    words: [...words].filter(isDictionaryWord).map(toStorable),
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    // An object, by the same line.
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Below.
  }
  return { msg: text }
}

/** PostgreSQL refuses NUL and halves of surrogate pairs. */
function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u2400')
}

function readTime(time: unknown, nowMs: number): Date {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return new Date(ms >= nowMs - oldestMs && ms <= nowMs + newestMs ? ms : nowMs)
}
