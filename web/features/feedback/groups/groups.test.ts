import { describe, expect, it } from 'vitest'
import { noFilters } from '../filters/feedback-filters.ts'
import { placeRows } from '../inbox/row-places.ts'
import { orderGroups } from './group-values.ts'
import { planSegments } from './plan-segments.ts'

const toCounts = (counts: readonly number[]) => new Map(counts.map((count, index) => [`p${index}`, count]))
const plan = (counts: readonly number[]) => {
  const own = toCounts(counts)
  return planSegments(noFilters, 'project', { values: [...own.keys()], counts: own })
}

describe('planSegments', () => {
  it('reads a large group by itself and small neighbours together, as many as a page and a filter take', () => {
    expect(plan([300, 40, 60, 1]).map(({ values }) => values)).toEqual([['p0'], ['p1', 'p2'], ['p3']])
    expect(plan(Array.from({ length: 45 }, () => 1)).map(({ values }) => values.length)).toEqual([20, 20, 5])
    expect(plan([])).toEqual([])
  })

  it('makes days into ranges without gaps, open at both ends but where the filters end', () => {
    const counts = new Map([
      ['2026-03-05', 80],
      ['2026-03-02', 30],
      ['2026-03-01', 10],
    ])
    const listRanges = (sort: 'newest' | 'oldest', date = noFilters.date) => {
      const filters = { ...noFilters, sort, date, group: 'day' as const }
      const values = orderGroups(filters, 'day', [...counts.keys()], new Map())
      return planSegments(filters, 'day', { values, counts }).map(
        ({ filters: { date: range } }) => range?.kind === 'range' && `${range.from}…${range.to}`,
      )
    }
    expect(listRanges('newest')).toEqual(['2026-03-05…', '…2026-03-04'])
    expect(listRanges('oldest')).toEqual(['…2026-03-04', '2026-03-05…'])
    const march = { kind: 'range', from: '2026-03-01', to: '2026-03-09' } as const
    expect(listRanges('newest', march)).toEqual(['2026-03-05…2026-03-09', '2026-03-01…2026-03-04'])
  })
})

describe('orderGroups', () => {
  it('orders by rank or name, with what is unassigned last, and names fixed values before they have items', () => {
    expect(orderGroups(noFilters, 'status', [], new Map())).toEqual(['new', 'open', 'in_progress'])
    expect(orderGroups({ ...noFilters, priority: ['low', 'high'] }, 'priority', [], new Map())).toEqual(['high', 'low'])
    const names = new Map([
      ['b', 'ada'],
      ['a', 'Bob'],
    ])
    expect(orderGroups(noFilters, 'assignee', ['none', 'a', 'b'], names)).toEqual(['b', 'a', 'none'])
  })
})

describe('placeRows', () => {
  it('places rows below the headings before them, and finds them again', () => {
    // Three rows, a closed group, two rows.
    const places = placeRows(5, 64, 36, [3, 0, 2])
    expect(places.heightPixels).toBe(5 * 64 + 3 * 36)
    expect([0, 2, 3, 4].map(places.topOf)).toEqual([36, 36 + 128, 36 * 3 + 192, 36 * 3 + 256])
    for (const index of [0, 1, 2, 3, 4]) expect(places.findRow(places.topOf(index) + 10)).toBe(index)
    expect(places.groups.map(({ first, top }) => [first, top])).toEqual([
      [0, 0],
      [3, 228],
      [3, 264],
    ])
    const plain = placeRows(5, 64, 36, undefined)
    expect([plain.heightPixels, plain.topOf(3), plain.findRow(200), plain.headingHeight]).toEqual([320, 192, 3, 0])
  })
})
