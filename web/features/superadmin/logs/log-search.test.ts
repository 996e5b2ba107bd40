import { describe, expect, it } from 'vitest'
import { canFollow, readLogSearch, toLogFilters, wholeLog, writeLogSearch } from './log-search.ts'

describe('the address of the logs', () => {
  it('keeps every filter', () => {
    const search = {
      ...wholeLog,
      words: '"job failed" x',
      level: 'warn',
      request: 'r-1',
      process: 'a:1',
      range: '24h',
    } as const
    expect(readLogSearch(new URLSearchParams(writeLogSearch(search)))).toEqual(search)
    const custom = {
      ...wholeLog,
      range: 'custom',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
    } as const
    expect(readLogSearch(new URLSearchParams(writeLogSearch(custom)))).toEqual(custom)
    const around = { ...wholeLog, around: '2026112612-77' }
    expect(readLogSearch(new URLSearchParams(writeLogSearch(around)))).toEqual(around)
    expect(writeLogSearch(wholeLog)).toEqual({})
  })

  it('leaves out what is unknown', () => {
    const params = new URLSearchParams({ level: 'loud', range: '3y', from: 'yesterday', around: '../1' })
    expect(readLogSearch(params)).toEqual(wholeLog)
  })

  it('turns a range into a moment, and is not followed when it has an end', () => {
    const search = { ...wholeLog, range: '1h', level: 'error' } as const
    expect(toLogFilters(search, Date.parse('2026-01-01T12:00:00Z'))).toEqual({
      level: 'error',
      from: '2026-01-01T11:00:00.000Z',
    })
    expect(canFollow(search)).toBe(true)
    expect(canFollow({ ...wholeLog, range: 'custom', to: '2026-01-01T12:00:00.000Z' })).toBe(false)
  })
})
