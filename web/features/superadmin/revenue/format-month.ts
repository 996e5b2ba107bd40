import { locale } from '#web/lib/locale.ts'

const short = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

const toDate = (month: string) => new Date(`${month}-01T00:00:00Z`)

/** `Jan 26`. @param month such as `2026-01` */
export const formatMonth = (month: string) => short.format(toDate(month))
/** `January 2026`. */
export const formatLongMonth = (month: string) => long.format(toDate(month))
