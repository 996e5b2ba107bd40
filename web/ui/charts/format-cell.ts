import { locale } from '#web/lib/locale.ts'

const whole = new Intl.NumberFormat(locale)

/** A number in a table beside a chart. */
export function formatCell(n: number): string {
  return Number.isInteger(n) ? whole.format(n) : n.toFixed(2)
}
