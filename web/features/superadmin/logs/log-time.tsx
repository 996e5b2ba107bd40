import { getDateFormat, getExactClock, toCalendarDay } from '#web/lib/date-style.ts'

/** `14:03:07.123` in the reader's time zone, with the day if it is another. */
export function formatLineTime(iso: string): string {
  const time = new Date(iso)
  const clock = getExactClock().format(time).replace(',', '.')
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
