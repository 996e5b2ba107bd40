import { getDateFormat, startOfDay, toCalendarDay } from '#web/lib/date-style.ts'

/** Days counted back from today, today included, in the person's own time zone. */
export const datePresets = ['today', '7d', '30d', '90d'] as const
export type DatePreset = (typeof datePresets)[number]

/**
 * When items came: counted back from today, or between two days as `YYYY-MM-DD`, both included; empty: open. Days are
 * the person's own, or in UTC where a chart counted them so.
 */
export type DateRange =
  | { readonly kind: 'preset'; readonly preset: DatePreset }
  | { readonly kind: 'range'; readonly from: string; readonly to: string; readonly zone?: 'utc' }

const presetDays: Readonly<Record<DatePreset, number>> = { today: 1, '7d': 7, '30d': 30, '90d': 90 }

export const datePresetLabels: Readonly<Record<DatePreset, string>> = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
}

/**
 * Reads `date=7d`, or `from=2026-11-01&to=2026-11-20` with or without `days=utc`, from an address. Days that don't exist
 * are left out.
 */
export function readDateRange(search: URLSearchParams): DateRange | undefined {
  const preset = datePresets.find((each) => each === search.get('date'))
  if (preset !== undefined) return { kind: 'preset', preset }
  const range = makeRange(search.get('from') ?? '', search.get('to') ?? '')
  return range?.kind === 'range' && search.get('days') === 'utc' ? { ...range, zone: 'utc' } : range
}

/** A range of days in their order; undefined when neither is a day. */
export function makeRange(from: string, to: string): DateRange | undefined {
  const start = isDay(from) ? from : ''
  const end = isDay(to) ? to : ''
  if (start === '' && end === '') return undefined
  return start !== '' && end !== '' && start > end
    ? { kind: 'range', from: end, to: start }
    : { kind: 'range', from: start, to: end }
}

function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

/** The range as moments: from the first one on, and before the last. */
export function toTimes(range: DateRange, now: Date): { from?: string; to?: string } {
  if (range.kind === 'preset') {
    const days = presetDays[range.preset]
    const today = toCalendarDay(now)
    return { from: startOfDay({ ...today, day: today.day - days + 1 }).toISOString() }
  }
  return {
    ...(range.from !== '' && { from: findStart(range.from, 0, range.zone) }),
    ...(range.to !== '' && { to: findStart(range.to, 1, range.zone) }),
  }
}

function findStart(text: string, addedDays: number, zone: 'utc' | undefined): string {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number)
  if (zone === 'utc') return new Date(Date.UTC(year, month - 1, day + addedDays)).toISOString()
  return startOfDay({ year, month, day: day + addedDays }).toISOString()
}

/** `Last 7 days`, `1 – 20 Nov 2026`, `Since 1 Nov 2026`, `Until 20 Nov 2026 (UTC)`. */
export function describeRange(range: DateRange): string {
  if (range.kind === 'preset') return datePresetLabels[range.preset]
  const format = getDateFormat('day', 'UTC')
  const read = (day: string) => new Date(`${day}T12:00:00Z`)
  const zone = range.zone === 'utc' ? ' (UTC)' : ''
  if (range.to === '') return `Since ${format.format(read(range.from))}${zone}`
  if (range.from === '') return `Until ${format.format(read(range.to))}${zone}`
  return `${format.formatRange(read(range.from), read(range.to))}${zone}`
}
