import { describe, expect, it } from 'vitest'
import { type ListPages, trimPages } from './feedback-queries.ts'

function pages(...counts: number[]): ListPages {
  return {
    pages: counts.map((count, index) => ({
      list: 'list',
      count,
      end: null,
      nextCursor: `after page ${index}`,
      similarWords: {},
    })),
    pageParams: counts.map((_, index) =>
      index === 0 ? undefined : { cursor: `after page ${index - 1}`, after: undefined },
    ),
  }
}

describe('trimPages', () => {
  it('keeps the pages down to the row in view', () => {
    const data = pages(2, 2, 1)
    expect(trimPages(data, 2).pages.map(({ count }) => count)).toEqual([2, 2])
    expect(trimPages(data, 2).pageParams).toHaveLength(2)
    expect(trimPages(data, 4)).toBe(data)
    expect(trimPages(data, 99)).toBe(data)
  })
})
