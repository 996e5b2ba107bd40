import { describe, expect, it } from 'vitest'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { type Filters, noFilters } from './feedback-filters.ts'
import { createListMatcher } from './match-filters.ts'

const ada = '019f7f00-0000-7000-8000-00000000000a'

const item: FeedbackListItem = {
  id: '019f7f00-0000-7000-8000-000000000001',
  projectId: '019f7f00-0000-7000-8000-000000000002',
  number: 1,
  type: 'bug',
  source: 'widget',
  status: 'new',
  priority: 'none',
  excerpt: 'The chair wobbles',
  rating: 4,
  nps: null,
  tags: ['Checkout'],
  attachmentKinds: ['screenshot'],
  visitorEmail: 'ada@example.org',
  visitorName: null,
  visitorId: null,
  visitorVerified: false,
  spamReason: null,
  snoozedUntil: null,
  location: 'inbox',
  assigneeId: null,
  mergedInto: null,
  pageUrl: 'https://example.org/',
  createdAt: new Date(2026, 10, 20, 9).toISOString(),
  updatedAt: new Date(2026, 10, 20, 9).toISOString(),
  firstViewedAt: null,
  unread: true,
  lastReplyBy: null,
  issues: [],
  locked: false,
  version: 1,
}
const now = new Date(2026, 10, 21, 12)
const matches = (filters: Partial<Filters>, change: Partial<FeedbackListItem> = {}) =>
  createListMatcher({ ...noFilters, ...filters }, now)({ ...item, ...change })

describe('createListMatcher', () => {
  it('lets everything in the inbox through without filters', () => expect(matches({})).toBe(true))

  it('asks each list for one of its values', () => {
    expect(matches({ status: ['new', 'open'], type: ['bug'], source: ['widget'] })).toBe(true)
    expect(matches({ status: ['new', 'open'] }, { status: 'closed' })).toBe(false)
    expect(matches({ status: ['new'], type: ['idea'] })).toBe(false)
    expect(matches({ source: ['api'] })).toBe(false)
  })

  it('keeps the locations apart', () => {
    for (const location of ['inbox', 'archived', 'spam', 'trash'] as const) {
      expect(matches({ location }, { location })).toBe(true)
      expect(matches({ location }, { location: 'merged' })).toBe(false)
    }
    expect(matches({}, { location: 'trash' })).toBe(false)
  })

  it('knows tags in any letter case', () => {
    expect(matches({ tag: ['checkout', 'other'] })).toBe(true)
    expect(matches({ tag: ['check'] })).toBe(false)
    expect(matches({ tag: ['checkout'] }, { tags: [] })).toBe(false)
  })

  it('matches the assignee, and unassigned items', () => {
    expect(matches({ assignee: ['none'] })).toBe(true)
    expect(matches({ assignee: [ada] })).toBe(false)
    expect(matches({ assignee: [ada, 'none'] }, { assigneeId: ada })).toBe(true)
    expect(matches({ assignee: ['none'] }, { assigneeId: ada })).toBe(false)
  })

  it('knows what it consists of', () => {
    expect(matches({ media: ['screenshot'] })).toBe(true)
    expect(matches({ media: ['voice', 'text'] })).toBe(true)
    expect(matches({ media: ['text'] }, { excerpt: '' })).toBe(false)
    expect(matches({ media: ['rating'] }, { rating: null })).toBe(false)
  })

  it('counts an NPS answer as no rating, as the server does', () => {
    expect(matches({ media: ['rating'] }, { rating: null, nps: 9 })).toBe(false)
    expect(matches({ media: ['rating'] }, { rating: 4, nps: 9 })).toBe(true)
    expect(matches({ rating: ['4'] }, { rating: null, nps: 4 })).toBe(false)
  })

  it("distinguishes letter case in a visitor's id, and not in an address, as the server does", () => {
    expect(matches({ visitor: 'User-7' }, { visitorId: 'User-7' })).toBe(true)
    expect(matches({ visitor: 'user-7' }, { visitorId: 'User-7' })).toBe(false)
    expect(matches({ visitor: 'ADA@example.org' })).toBe(true)
  })

  it('knows stars, unread, visitor and time', () => {
    expect(matches({ rating: ['4'] })).toBe(true)
    expect(matches({ rating: ['4'] }, { rating: null })).toBe(false)
    expect(matches({ unread: true })).toBe(true)
    expect(matches({ unread: true }, { unread: false })).toBe(false)
    expect(matches({ visitor: 'ada@example.org' })).toBe(true)
    expect(matches({ visitor: 'ada@example.org' }, { visitorId: 'user-7' })).toBe(false)
    expect(matches({ date: { kind: 'preset', preset: 'today' } })).toBe(false)
    expect(matches({ date: { kind: 'preset', preset: '7d' } })).toBe(true)
    expect(matches({ date: { kind: 'range', from: '2026-11-20', to: '2026-11-20' } })).toBe(true)
    expect(matches({ date: { kind: 'range', from: '', to: '2026-11-19' } })).toBe(false)
  })
})
