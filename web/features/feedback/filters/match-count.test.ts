import { describe, expect, it } from 'vitest'
import { type Filters, noFilters } from './feedback-filters.ts'
import { findMatchCount, formatMatchCount } from './match-count.ts'

const counts = {
  locations: { inbox: 30, archived: 4 },
  stages: { open: 20, done: 10 },
  unread: 7,
  unanswered: 3,
  status: { new: 12, open: 8 },
  priority: { none: 18, high: 2 },
  type: { bug: 20 },
  source: { widget: 20 },
  media: { text: 15, voice: 9 },
  rating: { 5: 6 },
  tag: { iOS: 4 },
  assignee: { none: 20 },
  project: {},
  inTrash: 0,
  hasTracker: false,
}
const find = (filters: Partial<Filters>) => findMatchCount({ ...noFilters, ...filters }, counts)

describe('findMatchCount', () => {
  it('knows a whole tab or location', () => {
    expect([find({}), find({ stage: 'done' }), find({ stage: 'all' })]).toEqual([20, 10, 30])
    expect([find({ location: 'archived', stage: 'all' }), find({ location: 'spam', stage: 'all' })]).toEqual([4, 0])
  })

  it('knows one filter, and several values of which an item has one', () => {
    expect(find({ unanswered: true })).toBe(3)
    expect(find({ unread: true, project: ['p'] })).toBe(7)
    expect(find({ status: ['new', 'open'] })).toBe(20)
    expect(find({ priority: ['urgent'] })).toBe(0)
  })

  it('leaves to the server what the sums by value cannot tell', () => {
    expect(find({ media: ['text', 'voice'] })).toBeUndefined()
    expect(find({ status: ['new'], priority: ['high'] })).toBeUndefined()
    expect(find({ unread: true, unanswered: true })).toBeUndefined()
    expect(find({ tag: ['ios'] })).toBeUndefined()
    expect(find({ q: 'chair' })).toBeUndefined()
    expect(find({ status: ['new'], q: 'chair' })).toBeUndefined()
  })
})

it('writes a count that ended at its limit with a plus', () => {
  expect(formatMatchCount({ count: 1234, limit: 10_000 })).toBe('1,234')
  expect(formatMatchCount({ count: 10_000, limit: 10_000 })).toBe('10,000+')
})
