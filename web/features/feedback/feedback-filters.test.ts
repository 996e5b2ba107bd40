import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feedbackPriorities, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import {
  changeFilter,
  type Filters,
  hasFilters,
  matchesLists,
  noFilters,
  readFilters,
  readItemId,
  toQuery,
  writeInboxSearch,
} from './feedback-filters.ts'

const project = '019f7f00-0000-7000-8000-000000000001'
const item = '019f7f00-0000-7000-8000-0000000000aa'

const anyFilters: fc.Arbitrary<Filters> = fc.record({
  status: fc.subarray([...feedbackStatuses]),
  priority: fc.subarray([...feedbackPriorities]),
  type: fc.subarray([...feedbackTypes]),
  project: fc.uniqueArray(fc.uuid(), { maxLength: 20 }).map((ids) => ids.sort()),
  spam: fc.boolean(),
  q: fc.string({ unit: 'grapheme', maxLength: 60 }).map((q) => readFilters(new URLSearchParams({ q })).q),
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

describe('matchesLists', () => {
  const bug = { status: 'new', priority: 'none', type: 'bug', projectId: project, spamReason: null } as const

  it('lets everything through without filters', () => expect(matchesLists(bug, noFilters)).toBe(true))

  it('asks each list for one of its values', () => {
    const filters: Filters = { ...noFilters, status: ['new', 'open'], type: ['bug'] }
    expect(matchesLists(bug, filters)).toBe(true)
    expect(matchesLists({ ...bug, status: 'closed' }, filters)).toBe(false)
    expect(matchesLists({ ...bug, type: 'idea' }, filters)).toBe(false)
  })

  it('keeps quarantine and inbox apart', () => {
    const spam = { ...bug, spamReason: 'honeypot' }
    expect(matchesLists(spam, noFilters)).toBe(false)
    expect(matchesLists(spam, { ...noFilters, spam: true })).toBe(true)
    expect(matchesLists(bug, { ...noFilters, spam: true })).toBe(false)
  })
})
