import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feedbackPriorities, feedbackSources, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import { mediaKinds } from '#contract/filters.ts'
import { inboxSorts } from '#contract/inbox.ts'
import {
  changeFilter,
  clearFilters,
  type Filters,
  hasFilters,
  inboxLocations,
  noFilters,
  readFilters,
  readItemId,
  toQuery,
  toSelection,
  writeInboxSearch,
} from './feedback-filters.ts'

const project = '019f7f00-0000-7000-8000-000000000001'
const item = '019f7f00-0000-7000-8000-0000000000aa'

/** What an address makes of a line of text. */
const anyLine = (name: 'q' | 'visitor') =>
  fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => readFilters(new URLSearchParams({ [name]: text }))[name])
const anyIds = fc.uniqueArray(fc.uuid(), { maxLength: 5 }).map((ids) => ids.sort())

const anyFilters: fc.Arbitrary<Filters> = fc.record({
  location: fc.constantFrom(...inboxLocations),
  status: fc.subarray([...feedbackStatuses]),
  priority: fc.subarray([...feedbackPriorities]),
  type: fc.subarray([...feedbackTypes]),
  source: fc.subarray([...feedbackSources]),
  media: fc.subarray([...mediaKinds]),
  rating: fc.subarray(['1', '2', '3', '4', '5']),
  tag: fc.subarray(['Checkout', 'billing', 'ünïcode', 'a,b&c']).map((tags) => tags.sort()),
  assignee: anyIds.chain((ids) => fc.constantFrom(ids, [...ids, 'none'].sort())),
  project: anyIds,
  unread: fc.boolean(),
  visitor: anyLine('visitor'),
  date: fc.constantFrom(
    undefined,
    { kind: 'preset', preset: '7d' } as const,
    { kind: 'range', from: '2026-11-01', to: '' } as const,
    { kind: 'range', from: '2026-02-28', to: '2026-03-01' } as const,
    { kind: 'range', from: '2026-02-28', to: '2026-03-01', zone: 'utc' } as const,
  ),
  q: anyLine('q'),
  sort: fc.constantFrom(...inboxSorts),
  view: fc.constantFrom('', project),
})

describe('readFilters and writeInboxSearch', () => {
  it('bring back what was written', () => {
    fc.assert(
      fc.property(anyFilters, fc.option(fc.uuid(), { nil: undefined }), (filters, itemId) => {
        const search = new URLSearchParams(writeInboxSearch(filters, itemId))
        expect(readFilters(search)).toEqual(filters)
        expect(readItemId(search)).toBe(itemId)
      }),
    )
  })

  it('write nothing for the plain inbox', () => expect(writeInboxSearch(noFilters, undefined)).toBe(''))

  it('write one pair per value', () => {
    const filters: Filters = { ...noFilters, status: ['new', 'open'], project: [project], q: 'a b&c' }
    expect(writeInboxSearch(filters, item)).toBe(`?status=new&status=open&project=${project}&q=a+b%26c&item=${item}`)
  })

  it('leave out what is not known, repeated or out of order', () => {
    const search = new URLSearchParams(
      'status=open&status=new&status=open&status=lost&priority=__proto__&project=1&item=x',
    )
    expect(readFilters(search)).toEqual({ ...noFilters, status: ['new', 'open'] })
    expect(readItemId(search)).toBeUndefined()
  })

  it('keep a search within one line and 200 characters', () => {
    expect(readFilters(new URLSearchParams({ q: ' a\nb\u0000c ' })).q).toBe('a b c')
    expect([...readFilters(new URLSearchParams({ q: '😀'.repeat(300) })).q]).toHaveLength(200)
    expect(readFilters(new URLSearchParams({ q: '\ud800' })).q).toBe('\ufffd')
  })
})

describe('readFilters', () => {
  it('opens links of earlier versions', () => {
    expect(readFilters(new URLSearchParams('spam=true')).location).toBe('spam')
  })

  it('takes a tag once, whatever its letter case', () => {
    expect(readFilters(new URLSearchParams('tag=Bug&tag=bug&tag=%20&tag=ui')).tag).toEqual(['bug', 'ui'])
  })

  it('leaves out days that do not exist and puts a range in order', () => {
    expect(readFilters(new URLSearchParams('from=2026-02-30&to=x')).date).toBeUndefined()
    const range = { kind: 'range', from: '2026-11-01', to: '2026-11-03' }
    expect(readFilters(new URLSearchParams('from=2026-11-03&to=2026-11-01')).date).toEqual(range)
  })
})

describe('toSelection', () => {
  const now = new Date(2026, 10, 21, 15, 30)

  it('turns days into times of the local time zone, the last day included', () => {
    const range: Filters = { ...noFilters, date: { kind: 'range', from: '2026-11-01', to: '2026-11-03' } }
    expect(toSelection(range, now)).toEqual({
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 10, 4).toISOString(),
    })
    const week: Filters = { ...noFilters, date: { kind: 'preset', preset: '7d' } }
    expect(toSelection(week, now)).toEqual({ from: new Date(2026, 10, 15).toISOString() })
  })

  it('takes days in UTC as they are, in any time zone', () => {
    const filters = readFilters(new URLSearchParams('from=2026-11-01&to=2026-11-03&days=utc'))
    expect(toSelection(filters, now)).toEqual({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' })
  })

  it('names a location other than the inbox, and stars as numbers', () => {
    expect(toSelection({ ...noFilters, location: 'trash', rating: ['4', '5'], unread: true }, now)).toEqual({
      location: 'trash',
      rating: [4, 5],
      unread: true,
    })
  })
})

describe('toQuery', () => {
  it('leaves out empty lists', () => {
    expect(toQuery(noFilters)).toEqual({})
    expect(toQuery({ ...noFilters, project: [project], q: 'login' })).toEqual({ projectId: [project], q: 'login' })
  })
})

describe('changeFilter', () => {
  it('replaces one list and keeps the others', () => {
    const filters: Filters = { ...noFilters, type: ['bug'], status: ['open'] }
    expect(changeFilter(filters, 'status', ['closed', 'new'])).toEqual({ ...filters, status: ['new', 'closed'] })
    expect(hasFilters(changeFilter(changeFilter(filters, 'status', []), 'type', []))).toBe(false)
  })
})

describe('clearFilters', () => {
  it('leaves location and order', () => {
    const filters: Filters = {
      ...noFilters,
      location: 'archived',
      sort: 'oldest',
      unread: true,
      tag: ['a'],
      q: 'chair',
    }
    expect(clearFilters(filters)).toEqual({ ...noFilters, location: 'archived', sort: 'oldest' })
    expect(hasFilters(filters)).toBe(true)
    expect(hasFilters(clearFilters(filters))).toBe(false)
  })
})
