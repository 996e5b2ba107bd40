import { afterEach, describe, expect, it } from 'vitest'
import {
  defaultDateStyle,
  getDateFormat,
  readDateStyle,
  setDateStyle,
  startOfDay,
  toCalendarDay,
} from './date-style.ts'
import { formatDay, formatFullTime, formatShortTime } from './relative-time.ts'

afterEach(() => setDateStyle(defaultDateStyle))

const moment = '2026-11-23T23:30:00Z'
const aYearLater = Date.parse('2027-11-24T00:00:00Z')

describe('dates and times as a person reads them', () => {
  it.each([
    ['day_first', 'UTC', '23 Nov 2026', '23 November 2026', 'Monday, 23 November 2026 at 23:30:00'],
    ['month_first', 'UTC', 'Nov 23, 2026', 'November 23, 2026', 'Monday, November 23, 2026 at 11:30:00 PM'],
    ['iso', 'UTC', '2026-11-23', '2026-11-23', '2026-11-23 23:30:00'],
    ['iso', 'Asia/Tokyo', '2026-11-24', '2026-11-24', '2026-11-24 08:30:00'],
    ['day_first', 'America/New_York', '23 Nov 2026', '23 November 2026', 'Monday, 23 November 2026 at 18:30:00'],
  ] as const)('in the format %s and the zone %s', (format, timeZone, short, day, full) => {
    setDateStyle({ format, timeZone })
    const plain = (text: string) => text.replaceAll('\u202f', ' ')
    expect(plain(formatShortTime(moment, aYearLater))).toBe(short)
    expect(plain(formatDay(moment))).toBe(day)
    expect(plain(formatFullTime(moment))).toBe(full)
  })

  it('writes ranges of days', () => {
    setDateStyle({ format: 'month_first', timeZone: undefined })
    const [from, to] = [new Date('2026-11-01T12:00:00Z'), new Date('2026-11-20T12:00:00Z')]
    expect(getDateFormat('day', 'UTC').formatRange(from, to)).toMatch(/^Nov 1\s–\s20, 2026$/)
  })
})

describe('the style of an account', () => {
  it.each([
    [{}, { format: 'day_first', timeZone: undefined }],
    [
      { date_format: 'iso', time_zone: 'Europe/Berlin' },
      { format: 'iso', timeZone: 'Europe/Berlin' },
    ],
    [
      { date_format: 'stardate', time_zone: 'Mars/Olympus' },
      { format: 'day_first', timeZone: undefined },
    ],
    [
      { date_format: 7, time_zone: null },
      { format: 'day_first', timeZone: undefined },
    ],
  ])('of %j is %j', (metadata, style) => {
    expect(readDateStyle(metadata)).toEqual(style)
  })
})

describe('a day', () => {
  it.each([
    ['UTC', '2026-11-23', '2026-11-23T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-23', '2026-11-22T18:30:00.000Z'],
    ['America/St_Johns', '2026-07-01', '2026-07-01T02:30:00.000Z'],
    // Clocks go forward, and back, on these days.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    // Beyond the end of a month.
    ['Europe/Berlin', '2026-02-29', '2026-02-28T23:00:00.000Z'],
  ])('in %s, %s begins at %s', (timeZone, text, start) => {
    setDateStyle({ format: 'day_first', timeZone })
    const [year = 0, month = 1, day = 1] = text.split('-').map(Number)
    expect(startOfDay({ year, month, day }).toISOString()).toBe(start)
  })

  it('of a moment is that of the person’s time zone', () => {
    setDateStyle({ format: 'day_first', timeZone: 'Pacific/Auckland' })
    expect(toCalendarDay(new Date(moment))).toEqual({ year: 2026, month: 11, day: 24 })
  })
})
