import { afterEach, describe, expect, it } from 'vitest'
import { defaultDateStyle, setDateStyle } from '#web/lib/date-style.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { listSnoozeTimes, readSnoozeTime } from './snooze-times.ts'

afterEach(() => setDateStyle(defaultDateStyle))

const times = (now: string) => listSnoozeTimes(new Date(now)).map(({ label, until }) => [label, until])

describe('the times to snooze to', () => {
  it('are evenings and mornings of the person’s time zone', () => {
    setDateStyle({ format: 'day_first', timeZone: 'Europe/Berlin' })
    // In Berlin already Sunday, on which next week is tomorrow.
    expect(times('2026-11-21T23:30:00Z')).toEqual([
      ['Later today', '2026-11-22T17:00:00.000Z'],
      ['Tomorrow', '2026-11-23T08:00:00.000Z'],
      ['Next month', '2026-12-01T08:00:00.000Z'],
    ])
    setDateStyle({ format: 'day_first', timeZone: 'America/New_York' })
    expect(times('2026-11-21T23:30:00Z')).toEqual([
      ['Tomorrow', '2026-11-22T14:00:00.000Z'],
      ['Next week', '2026-11-23T14:00:00.000Z'],
      ['Next month', '2026-12-01T14:00:00.000Z'],
    ])
  })

  it('keep the clock across a change of the clocks and the end of a year', () => {
    setDateStyle({ format: 'day_first', timeZone: 'Europe/Berlin' })
    expect(times('2026-03-28T12:00:00Z')[1]).toEqual(['Tomorrow', '2026-03-29T07:00:00.000Z'])
    expect(times('2026-12-31T12:00:00Z').slice(1)).toEqual([
      ['Tomorrow', '2027-01-01T08:00:00.000Z'],
      ['Next week', '2027-01-04T08:00:00.000Z'],
    ])
  })

  it('are read from a field, if they are in the future', () => {
    setDateStyle({ format: 'iso', timeZone: 'Asia/Tokyo' })
    const now = new Date('2026-11-22T00:00:00Z')
    expect(readSnoozeTime('2026-11-22T09:30', now)).toBe('2026-11-22T00:30:00.000Z')
    expect(readSnoozeTime('2026-11-22T09:00', now)).toBeUndefined()
    expect(readSnoozeTime('', now)).toBeUndefined()
    expect(formatMoment('2031-11-22T00:30:00.000Z')).toBe('2031-11-22, 09:30')
  })
})
