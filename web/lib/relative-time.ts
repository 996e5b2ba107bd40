import { getDateFormat, toCalendarDay } from './date-style.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * How long ago a moment was, for people: `just now`, `3 min ago`, `2 h ago`, `5 days ago`, then the date. A moment in
 * the future (clocks differ) reads as now.
 */
export function formatRelativeTime(iso: string, nowMs: number): string {
  const short = formatShortTime(iso, nowMs)
  const ageMs = nowMs - Date.parse(iso)
  if (ageMs < minuteMs) return 'just now'
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h ago`
  const days = Math.floor(ageMs / dayMs)
  if (days < 7) return days === 1 ? '1 day ago' : `${days} days ago`
  return short
}

/** The same in as few letters as possible, for dense lists: `now`, `3m`, `2h`, `5d`, `12 Nov`, `12 Nov 2025`. */
export function formatShortTime(iso: string, nowMs: number): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  const ageMs = nowMs - time.getTime()
  if (ageMs < minuteMs) return 'now'
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)}m`
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)}h`
  if (ageMs < 7 * dayMs) return `${Math.floor(ageMs / dayMs)}d`
  const isThisYear = toCalendarDay(time).year === toCalendarDay(new Date(nowMs)).year
  return getDateFormat(isThisYear ? 'dayOfYear' : 'day').format(time)
}

/** The moment in full, in the reader's time zone: `Saturday, 21 November 2026 at 09:30:00`. */
export function formatFullTime(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? '' : getDateFormat('full').format(time)
}

/** The day alone, in the reader's time zone: `21 November 2026`. */
export function formatDay(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? '' : getDateFormat('longDay').format(time)
}

/** `24 Nov, 09:00`; with the year when that is another. */
export function formatMoment(iso: string): string {
  const date = new Date(iso)
  const isThisYear = toCalendarDay(date).year === toCalendarDay(new Date()).year
  return `${getDateFormat(isThisYear ? 'dayOfYear' : 'day').format(date)}, ${getDateFormat('clock').format(date)}`
}
