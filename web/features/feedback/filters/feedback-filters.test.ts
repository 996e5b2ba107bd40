import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feedbackPriorities, feedbackSources, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import { mediaKinds } from '#contract/filters.ts'
import { inboxGroupings, inboxSorts } from '#contract/inbox.ts'
import {
  changeFilter,
  clearFilters,
  type Filters,
  goToPlace,
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

const anyFilters: fc.Arbitrary<Filters> = fc
  .record({
    location: fc.constantFrom(...inboxLocations),
    stage: fc.constantFrom('open', 'done', 'all'),
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
    unanswered: fc.boolean(),
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
    group: fc.constantFrom('none' as const, ...inboxGroupings),
    view: fc.constantFrom('', project),
  })
  // A stage belongs to the inbox and to statuses within it.
  .map((filters) => (filters.location === 'inbox' ? filters : { ...filters, stage: 'all' as const }))
  .map((filters) => changeFilter(filters, 'status', filters.status))

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

describe('the stage', () => {
  const stageOf = (search: string) => readFilters(new URLSearchParams(search)).stage

  it('is open for the plain inbox, in any order and with an open item', () => {
    for (const search of ['', 'sort=oldest', `item=${item}`])
      expect({ search, stage: stageOf(search) }).toEqual({ search, stage: 'open' })
    expect(toSelection(noFilters)).toEqual({ status: ['new', 'open', 'in_progress'] })
    expect(toSelection({ ...noFilters, stage: 'done' })).toEqual({ status: ['resolved', 'closed'] })
  })

  it('keeps the meaning of links and saved views from before there were stages', () => {
    for (const search of [
      'priority=high',
      `project=${project}`,
      'q=chair',
      'date=7d',
      `view=${project}`,
      'status=new&status=closed',
    ]) {
      expect({ search, stage: stageOf(search) }).toEqual({ search, stage: 'all' })
    }
    expect(toSelection(readFilters(new URLSearchParams('priority=high')))).toEqual({ priority: ['high'] })
    expect(toSelection(readFilters(new URLSearchParams('status=resolved')))).toEqual({ status: ['resolved'] })
  })

  it('follows the statuses of a link that names no stage', () => {
    expect(stageOf('status=new&status=open')).toBe('open')
    expect(stageOf('status=resolved&priority=high')).toBe('done')
  })

  it('follows the statuses that are selected', () => {
    expect(changeFilter(noFilters, 'status', ['new', 'resolved'])).toMatchObject({
      stage: 'all',
      status: ['new', 'resolved'],
    })
    expect(changeFilter(noFilters, 'status', ['new'])).toMatchObject({ stage: 'open', status: ['new'] })
  })

  it('stays with the inbox: another location has none', () => {
    expect(goToPlace({ ...noFilters, q: 'chair', project: [project] }, 'spam', 'all')).toEqual({
      ...noFilters,
      location: 'spam',
      stage: 'all',
      project: [project],
    })
    expect(stageOf('location=archived&stage=done')).toBe('all')
  })
})

describe('toSelection', () => {
  const now = new Date(2026, 10, 21, 15, 30)

  it('turns days into times of the local time zone, the last day included', () => {
    const range: Filters = { ...noFilters, date: { kind: 'range', from: '2026-11-01', to: '2026-11-03' } }
    expect(toSelection(range, now)).toEqual({
      status: ['new', 'open', 'in_progress'],
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 10, 4).toISOString(),
    })
    const week: Filters = { ...noFilters, date: { kind: 'preset', preset: '7d' } }
    expect(toSelection(week, now)).toMatchObject({ from: new Date(2026, 10, 15).toISOString() })
  })

  it('takes days in UTC as they are, in any time zone', () => {
    const filters = readFilters(new URLSearchParams('from=2026-11-01&to=2026-11-03&days=utc'))
    expect(toSelection(filters, now)).toEqual({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' })
  })

  it('names a location other than the inbox, and stars as numbers', () => {
    const filters: Filters = { ...noFilters, location: 'trash', stage: 'all', rating: ['4', '5'], unread: true }
    expect(toSelection(filters, now)).toEqual({ location: 'trash', rating: [4, 5], unread: true })
  })
})

describe('toQuery', () => {
  it('leaves out empty lists', () => {
    const all: Filters = { ...noFilters, stage: 'all' }
    expect(toQuery(all)).toEqual({})
    expect(toQuery({ ...all, project: [project], q: 'login' })).toEqual({ projectId: [project], q: 'login' })
  })
})

describe('changeFilter', () => {
  it('replaces one list and keeps the others', () => {
    const filters: Filters = { ...noFilters, type: ['bug'], status: ['open'] }
    expect(changeFilter(filters, 'status', ['closed', 'new'])).toEqual({
      ...filters,
      stage: 'all',
      status: ['new', 'closed'],
    })
    expect(hasFilters(changeFilter(changeFilter(filters, 'status', []), 'type', []))).toBe(false)
  })
})

describe('clearFilters', () => {
  it('leaves location, stage and order', () => {
    const filters: Filters = {
      ...noFilters,
      location: 'archived',
      stage: 'all',
      sort: 'oldest',
      unread: true,
      tag: ['a'],
      q: 'chair',
    }
    expect(clearFilters(filters)).toEqual({ ...noFilters, location: 'archived', stage: 'all', sort: 'oldest' })
    expect(hasFilters(filters)).toBe(true)
    expect(hasFilters(clearFilters(filters))).toBe(false)
  })
})
