import { getDateFormat } from '#web/lib/date-style.ts'
import { locale } from '#web/lib/locale.ts'
import type { Change } from '#web/ui/charts/change.ts'

const whole = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const regions = new Intl.DisplayNames(['en-GB'], { type: 'region' })

export const formatCount = (n: number) => whole.format(n)
/** For axes: `1.2K`. */
export const formatAxisCount = (n: number) => (n < 10_000 ? whole.format(n) : compact.format(n))

/** `3 Nov`; with the year where `withYear`. */
export function formatDay(day: string, withYear = false): string {
  return getDateFormat(withYear ? 'day' : 'dayOfYear', 'UTC').format(new Date(`${day}T00:00:00Z`))
}

/** `3 Nov 2026`, or `3 – 9 Nov 2026`. */
export function formatDays(from: string, to: string): string {
  const [start, end] = [new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)]
  const format = getDateFormat('day', 'UTC')
  return from === to ? format.format(start) : format.formatRange(start, end)
}

/** Which days are meant: those of UTC, and when they begin for the reader. `at` is one of them. */
export function describeDays(at: Date): string {
  const start = new Date(Math.floor(at.getTime() / 86_400_000) * 86_400_000)
  const time = getDateFormat('clock').format(start)
  if (time === getDateFormat('clock', 'UTC').format(start)) return 'Days are in UTC.'
  return `Days are in UTC: they start at ${time} your time.`
}

/** `under a minute`, `12 min`, `3.4 h`, `2.1 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return 'under a minute'
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 86_400) return `${trim(seconds / 3600)} h`
  const days = trim(seconds / 86_400)
  return days === '1' ? '1 day' : `${days} days`
}

export const formatRating = (rating: number) => rating.toFixed(1)
/** `+32`, `−8`, `0`. */
export const formatScore = (score: number) => withSign(Math.round(score), '')
export const formatPercent = (part: number) => `${part > 0 && part < 0.1 ? trim(part * 100) : Math.round(part * 100)} %`

/** A country by its ISO code, in English. */
export function formatCountry(code: string): string {
  try {
    return regions.of(code) ?? code
  } catch {
    return code
  }
}

/** How a number compares with the one before: by its part, or `absolute` by the difference. Undefined: not at all. */
export function compare(
  now: number | null,
  before: number | null,
  absolute?: (difference: number) => string,
): Change | undefined {
  if (now === null || before === null) return undefined
  if (absolute === undefined && before === 0) return undefined
  const difference = absolute === undefined ? now / before - 1 : now - before
  const text = absolute === undefined ? `${withSign(Math.round(difference * 100), ' %')}` : absolute(difference)
  if (!/[1-9]/.test(text)) return { text: 'no change', direction: 'same' }
  return { text, direction: difference > 0 ? 'up' : 'down' }
}

export const formatDifference = (digits: number) => (difference: number) =>
  withSign(Number(difference.toFixed(digits)), '', digits)

function withSign(n: number, unit: string, digits = 0): string {
  const sign = n > 0 ? '+' : n < 0 ? '−' : ''
  return `${sign}${digits > 0 ? Math.abs(n).toFixed(digits) : whole.format(Math.abs(n))}${unit}`
}

function trim(n: number): string {
  return n >= 10 ? String(Math.round(n)) : String(Number(n.toFixed(1)))
}
