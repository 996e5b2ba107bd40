import { describe, expect, it } from 'vitest'
import { changeTags, describeBulkChange, describeChange } from './item-change.ts'

describe('changeTags', () => {
  it('adds and takes away, whatever the letter case, and keeps the order', () => {
    expect(changeTags(['UI', 'billing'], ['ui', 'New'], ['Billing'])).toEqual(['UI', 'New'])
    expect(changeTags([], ['a'], ['A'])).toEqual([])
  })
})

describe('describeChange', () => {
  const findName = (id: string) => (id === 'ada' ? 'Ada' : undefined)

  it('says what was done', () => {
    expect(describeChange({ assigneeId: 'ada' }, findName)).toBe('assigned to Ada')
    expect(describeChange({ assigneeId: null }, findName)).toBe('unassigned')
    expect(describeChange({ archived: true }, findName)).toBe('archived')
    expect(describeChange({ tags: ['a', 'b'] }, findName)).toBe('tagged a, b')
    expect(describeChange({ status: 'closed', closedReason: 'wont_fix' }, findName)).toBe("closed as Won't fix")
  })

  it('says it of many', () => {
    expect(describeBulkChange({ addTags: ['a'] }, findName)).toBe('tagged a')
    expect(describeBulkChange({ viewed: true }, findName)).toBe('marked as read')
    expect(describeBulkChange({ viewed: false }, findName)).toBe('marked as unread')
    expect(describeBulkChange({ deleted: true }, findName)).toBe('moved to the trash')
  })
})
