import { getDateFormat } from '#web/lib/date-style.ts'
import { locale } from '#web/lib/locale.ts'
import type { Change } from '#web/ui/charts/change.ts'

const whole = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })

export const formatCount = (n: number) => whole.format(n)
/** A mean: `1.5`. */
export const formatMean = (n: number) => oneDigit.format(n)
/** For axes: `1.2K`. */
export const formatAxisCount = (n: number) => (n < 10_000 ? whole.format(n) : compact.format(n))
/** Whole percent. Undefined: a part of nothing. */
export const formatShare = (part: number, all: number) =>
  all === 0 ? undefined : `${Math.round((part / all) * 100)} %`

const toDate = (day: string) => new Date(`${day}T00:00:00Z`)
/** `3 Nov`. */
export const formatShortDay = (day: string) => getDateFormat('dayOfYear', 'UTC').format(toDate(day))
/** `3 Nov 2026`, or `3 – 9 Nov 2026`. */
export function formatDays(from: string, to: string): string {
  const format = getDateFormat('day', 'UTC')
  return from === to ? format.format(toDate(from)) : format.formatRange(toDate(from), toDate(to))
}

/** By its part of the number before. Undefined: there was none to compare with. */
export function compareFigures(now: number, before: number): Change | undefined {
  if (before === 0) return undefined
  const percent = Math.round((now / before - 1) * 100)
  if (percent === 0) return { text: 'no change', direction: 'same' }
  return {
    text: `${percent > 0 ? '+' : '−'}${whole.format(Math.abs(percent))} %`,
    direction: percent > 0 ? 'up' : 'down',
  }
}
