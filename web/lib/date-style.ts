import { locale } from './locale.ts'

/** How dates are written: `23 Nov 2026, 14:30`, `Nov 23, 2026, 2:30 PM` or `2026-11-23 14:30`. */
export const dateFormats = ['day_first', 'month_first', 'iso'] as const
export type DateFormat = (typeof dateFormats)[number]

/** How a person reads dates and times, on all their devices. */
export interface DateStyle {
  readonly format: DateFormat
  /** An IANA name, e.g. `Europe/Berlin`; undefined: the browser's. */
  readonly timeZone: string | undefined
}

export const defaultDateStyle: DateStyle = { format: 'day_first', timeZone: undefined }

/** The kinds of dates that the app shows. */
export type DateKind = 'day' | 'dayOfYear' | 'longDay' | 'full' | 'clock'

const byName = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'short' },
  longDay: { dateStyle: 'long' },
  full: { dateStyle: 'full', timeStyle: 'medium' },
  clock: { hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<DateKind, Intl.DateTimeFormatOptions>
const byNumber = {
  ...byName,
  day: { dateStyle: 'short' },
  dayOfYear: { dateStyle: 'short' },
  longDay: { dateStyle: 'short' },
  full: { dateStyle: 'short', timeStyle: 'medium' },
} as const satisfies Record<DateKind, Intl.DateTimeFormatOptions>

const calendarDay = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
const exactClock = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const
const zoneOffset = { timeZoneName: 'longOffset' } as const

// Swedish dates are those of ISO 8601.
const locales: Record<DateFormat, string> = { day_first: locale, month_first: 'en-US', iso: 'sv-SE' }

let style = defaultDateStyle
const formats = new Map<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>()

/** From now on, dates and times are written so. */
export function setDateStyle(next: DateStyle): void {
  style = next
}

/** The person's time zone. */
export function getTimeZone(): string {
  return style.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

/**
 * What writes dates of a kind as the person reads them.
 *
 * @param timeZone default: the person's.
 */
export function getDateFormat(kind: DateKind, timeZone = style.timeZone): Intl.DateTimeFormat {
  return getFormat(locales[style.format], (style.format === 'iso' ? byNumber : byName)[kind], timeZone)
}

/** What writes the time of day to the millisecond, in the person's time zone: `14:03:07,123`, whatever their style. */
export function getExactClock(): Intl.DateTimeFormat {
  return getFormat(locales.iso, exactClock, style.timeZone)
}

/** A format made once: making one takes longer than many dates take to be written. `options` are a constant above. */
function getFormat(
  language: string,
  options: Intl.DateTimeFormatOptions,
  timeZone: string | undefined,
): Intl.DateTimeFormat {
  const ofOptions = formats.get(options) ?? new Map<string, Intl.DateTimeFormat>()
  formats.set(options, ofOptions)
  const key = `${language} ${timeZone}`
  const known = ofOptions.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(language, { ...options, ...(timeZone !== undefined && { timeZone }) })
  ofOptions.set(key, format)
  return format
}

/** Reads the style from an account's metadata, which any client may have written. */
export function readDateStyle(metadata: Record<string, unknown>): DateStyle {
  const { date_format: format, time_zone: timeZone } = metadata
  return {
    format: dateFormats.find((known) => known === format) ?? defaultDateStyle.format,
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : undefined,
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat(locale, { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A day of the calendar. */
export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** Which day a moment is in, in the person's time zone. */
export function toCalendarDay(moment: Date): CalendarDay {
  const [year = 0, month = 1, day = 1] = getFormat('en-CA', calendarDay, style.timeZone)
    .format(moment)
    .split('-')
    .map(Number)
  return { year, month, day }
}

/** When a day begins in the person's time zone; days beyond the end of a month are those of the next. */
export function startOfDay(day: CalendarDay): Date {
  return toMoment(day, 0)
}

/** The moment of a time of day, in minutes after midnight on the clock, in the person's time zone. */
export function toMoment({ year, month, day }: CalendarDay, minutes: number): Date {
  const asUtc = Date.UTC(year, month - 1, day, 0, minutes)
  // Twice: the first guess may lie on the other side of a change of the clocks.
  let start = asUtc - offsetMs(asUtc)
  start = asUtc - offsetMs(start)
  return new Date(start)
}

/** How far the person's clocks are ahead of UTC at a moment. */
function offsetMs(moment: number): number {
  const format = getFormat('en-US', zoneOffset, style.timeZone)
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? []
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}
