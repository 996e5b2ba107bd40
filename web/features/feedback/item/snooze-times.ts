import { type CalendarDay, toCalendarDay, toMoment } from '#web/lib/date-style.ts'
import { readFieldMoment } from '#web/lib/field-moment.ts'

/** A time to which an item can be snoozed. */
export interface SnoozeTime {
  readonly label: string
  /** ISO 8601. */
  readonly until: string
}

const morning = 9 * 60
const evening = 18 * 60
/** Later today is no choice when the evening is nearer than this. */
const leastWaitMs = 30 * 60_000

/** The usual times, on the clock of the person's time zone: the next evening, and mornings. Each once: on a Sunday, next week is tomorrow. */
export function listSnoozeTimes(now: Date): SnoozeTime[] {
  const today = toCalendarDay(now)
  const later = toMoment(today, evening)
  const choices: [string, Date][] = [
    ['Tomorrow', toMoment(addDays(today, 1), morning)],
    ['Next week', toMoment(addDays(today, daysToMonday(today)), morning)],
    ['Next month', toMoment({ ...today, month: today.month + 1, day: 1 }, morning)],
  ]
  if (later.getTime() - now.getTime() >= leastWaitMs) choices.unshift(['Later today', later])
  const times = choices.map(([label, until]) => ({ label, until: until.toISOString() }))
  return times.filter(({ until }, index) => times.findIndex((other) => other.until === until) === index)
}

const addDays = (from: CalendarDay, days: number): CalendarDay => ({ ...from, day: from.day + days })

function daysToMonday({ year, month, day }: CalendarDay): number {
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  return (8 - weekday) % 7 || 7
}

/** The value of a field for date and time, as ISO 8601; undefined: it is empty or over. */
export function readSnoozeTime(value: string, now: Date): string | undefined {
  const moment = readFieldMoment(value)
  return moment && moment > now ? moment.toISOString() : undefined
}

/** Tomorrow morning, as the value of a field for date and time. */
export function suggestSnoozeTime(now: Date): string {
  const { year, month, day } = toCalendarDay(now)
  return `${new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10)}T09:00`
}
