import type { DateEvidence, DateOrder } from '#contract/value-mapping.ts'

/** `31/01/2026`, `1-31-26`, `31.01.2026 09:30`, with an optional time. */
const numeric = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2}),?(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(am|pm)?)?$/i
const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i
const lastMonth = 12

/**
 * What a date of numbers says about the order of day and month: a number over 12 is a day. Dots are written by people
 * who write the day first. Undefined: no such date.
 */
export function judgeOrder(text: string): DateOrder | 'ambiguous' | undefined {
  const [, first = '', separator, second = ''] = numeric.exec(text) ?? []
  if (separator === undefined) return undefined
  if (Number(first) > lastMonth || separator === '.') return 'day_first'
  return Number(second) > lastMonth ? 'month_first' : 'ambiguous'
}

/** Counts what dates of a column tell of the order of day and month. */
export function countOrders(texts: Iterable<string>): DateEvidence {
  const evidence = { dayFirst: 0, monthFirst: 0, ambiguous: 0 }
  for (const text of texts) {
    const order = judgeOrder(text)
    if (order === 'day_first') evidence.dayFirst += 1
    else if (order === 'month_first') evidence.monthFirst += 1
    else if (order === 'ambiguous') evidence.ambiguous += 1
  }
  return evidence
}

/**
 * A time as ISO 8601: from ISO 8601, also with a space and without a zone (then UTC), with the month in English letters, or
 * in numbers.
 *
 * @param order of dates in numbers. Without it, a date whose order its numbers do not tell is refused.
 */
export function parseTime(text: string, order?: DateOrder): string | undefined {
  const time = readIso(text) ?? readNumeric(text, order) ?? readLetters(text)
  if (time === undefined) return undefined
  const isLikely = time > Date.UTC(1990, 0) && time < Date.now() + 86_400_000
  return isLikely ? new Date(time).toISOString() : undefined
}

function readIso(text: string): number | undefined {
  const found = iso.exec(text)
  if (!found) return undefined
  const [, day = '', clock = '00:00', zone = 'Z'] = found
  if (!new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined
  const offset = /utc/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase()
  // Cut to milliseconds: a Date has no finer ones.
  return Date.parse(`${day}T${clock.replace(/(\.\d{3})\d+$/, '$1')}${offset}`)
}

function readNumeric(text: string, order: DateOrder | undefined): number | undefined {
  const [, first = '', separator, second = '', year = '', ...clock] = numeric.exec(text) ?? []
  if (separator === undefined) return undefined
  const told = judgeOrder(text)
  const isSame = first.padStart(2, '0') === second.padStart(2, '0')
  const used = told === 'ambiguous' ? (order ?? (isSame ? 'day_first' : undefined)) : told
  if (used === undefined) return undefined
  const [day, month] = used === 'day_first' ? [first, second] : [second, first]
  const date = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = readClock(clock)
  return time === undefined ? undefined : readIso(`${date}T${time}Z`)
}

/** `9`, `30`, undefined, `pm` as `21:30:00`. */
function readClock([hours = '0', minutes = '00', seconds = '00', half]: (string | undefined)[]): string | undefined {
  const hour = Number(hours)
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const full = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  return `${String(full).padStart(2, '0')}:${minutes}:${seconds}`
}

function readLetters(text: string): number | undefined {
  const isDate = /[a-z]{3}/i.test(text) && /\b\d{4}\b/.test(text) && /^[\w\s,:+.-]+(\([\w\s]+\))?$/.test(text)
  if (!isDate) return undefined
  return Date.parse(/(gmt|utc|z|[+-]\d{4})(\s*\(.*\))?$/i.test(text) ? text : `${text} UTC`)
}
