import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultDateStyle, setDateStyle } from '#web/lib/date-style.ts'
import { isFiltered, readAuditSearch, toAuditFilters, writeAuditSearch } from './audit-search.ts'

beforeAll(() => setDateStyle({ ...defaultDateStyle, timeZone: 'Europe/Berlin' }))
afterAll(() => setDateStyle(defaultDateStyle))

const id = '0190a6a4-0000-7000-8000-000000000001'

describe('readAuditSearch', () => {
  it('reads what the address names, and writes it again', () => {
    const address = { actor: id, category: 'members', target: id, from: '2026-03-01', to: '2026-03-29' }
    const search = readAuditSearch(new URLSearchParams(address))
    expect(writeAuditSearch(search)).toEqual(address)
    expect(isFiltered(search)).toBe(true)
  })

  it('leaves out what it does not know', () => {
    const search = readAuditSearch(
      new URLSearchParams({ actor: 'x', category: 'all', target: '1', from: '2026-02-30', to: 'now' }),
    )
    expect(isFiltered(search)).toBe(false)
    expect(writeAuditSearch(search)).toEqual({})
  })
})

describe('toAuditFilters', () => {
  it('includes both days, as the person’s time zone has them', () => {
    const search = readAuditSearch(new URLSearchParams({ from: '2026-03-28', to: '2026-03-29', actor: 'system' }))
    // The clocks change on the 29th.
    expect(toAuditFilters(search)).toEqual({
      actorKind: 'system',
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    })
  })
})
