import { locale } from '#web/lib/locale.ts'

/** `$1,900.50`; amounts are exact, so that a list can be added up. Whole dollars without cents where `isShort`. */
export function formatCents(cents: number, { currency = 'usd', isShort = false } = {}): string {
  const isWhole = isShort && cents % 100 === 0
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...(isWhole && { maximumFractionDigits: 0 }),
  }).format(cents / 100)
}

/** For axes: `$1.2K`. */
export function formatAxisCents(cents: number): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'usd',
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(cents / 100)
}

/** Typed dollars as cents; undefined: not an amount of whole cents. */
export function parseDollars(text: string): number | undefined {
  const typed = text.trim().replace(/^\$\s*/, '')
  return /^\d{1,7}([.,]\d{1,2})?$/.test(typed) ? Math.round(Number(typed.replace(',', '.')) * 100) : undefined
}
