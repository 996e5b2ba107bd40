import { getDateFormat, getTimeZone, toCalendarDay } from '#web/lib/date-style.ts'

const clocks = new Map<string, Intl.DateTimeFormat>()

function getClock(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('sv-SE', {
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, timeZone },
  })
  clocks.set(timeZone, clock)
  return clock
}

/** `14:03:07.123` in the reader's time zone, with the day if it is another. */
export function formatLineTime(iso: string): string {
  const time = new Date(iso)
  const clock = getClock(getTimeZone()).format(time).replace(',', '.')
  const [day, today] = [toCalendarDay(time), toCalendarDay(new Date())]
  const isToday = day.day === today.day && day.month === today.month && day.year === today.year
  return isToday ? clock : `${getDateFormat('dayOfYear').format(time)} ${clock}`
}

/** When a line was written; in UTC on hover. */
export function LogTime({ iso, className }: { iso: string; className?: string }) {
  return (
    <time dateTime={iso} title={`${iso.replace('T', ' ').replace('Z', '')} UTC`} className={className}>
      {formatLineTime(iso)}
    </time>
  )
}
