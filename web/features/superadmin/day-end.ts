/** The end of a day in the reader's time zone, as a time. @param day such as `2026-12-31` */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString()
}

/** A day so many days from now, for a date field. */
export function dayIn(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() + days)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((each) => String(each).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
