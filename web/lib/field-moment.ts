import { getDateFormat, toCalendarDay, toMoment } from './date-style.ts'

/** The moment of a field for date and time (`2026-11-23T09:00`) in the person's time zone; undefined: it is empty. */
export function readFieldMoment(value: string): Date | undefined {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(value)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  return toMoment({ year, month, day }, (hour ?? 0) * 60 + (minute ?? 0))
}

/** A moment as the value of a field for date and time, on the clock of the person's time zone. */
export function writeFieldMoment(moment: Date): string {
  const { year, month, day } = toCalendarDay(moment)
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  // "14:30", whatever the person's language puts around it.
  const clock = /\d\d:\d\d/.exec(getDateFormat('clock').format(moment))?.[0] ?? '09:00'
  return `${year}-${twoDigits(month)}-${twoDigits(day)}T${clock}`
}
