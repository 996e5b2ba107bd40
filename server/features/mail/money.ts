const formats = new Map<string, Intl.NumberFormat>()

/** `$49.00`. @param currency of three letters, as Stripe writes it */
export function formatMoney(cents: number, currency: string): string {
  let format = formats.get(currency)
  if (!format) {
    format = new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    formats.set(currency, format)
  }
  return format.format(cents / 100)
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** `21 November 2026`, in UTC. */
export function formatDay(day: Date): string {
  return dayFormat.format(day)
}
