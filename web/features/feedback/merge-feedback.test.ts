import { describe, expect, it } from 'vitest'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { type FeedbackPages, isContinuous, listItems, mergeItems, replaceItem, trimPages } from './merge-feedback.ts'

/** An item of a minute; its id ends with the minute too. */
function item(minute: number, change: Partial<FeedbackListItem> = {}): FeedbackListItem {
  const two = String(minute).padStart(2, '0')
  return {
    id: `019f7f00-0000-7000-8000-0000000000${two}`,
    projectId: '019f7f00-0000-7000-8000-000000000001',
    number: minute,
    type: 'bug',
    source: 'widget',
    status: 'new',
    priority: 'none',
    excerpt: `at ${minute}`,
    rating: null,
    nps: null,
    tags: [],
    attachmentKinds: [],
    visitorId: null,
    visitorVerified: false,
    spamReason: null,
    visitorEmail: null,
    visitorName: null,
    pageUrl: 'https://example.com/',
    createdAt: `2026-11-21T09:${two}:00.000Z`,
    updatedAt: `2026-11-21T09:${two}:00.000Z`,
    place: 'inbox',
    assigneeId: null,
    mergedInto: null,
    version: 1,
    firstViewedAt: null,
    ...change,
  }
}

function pages(minutes: number[][], isWhole: boolean): FeedbackPages {
  return {
    pages: minutes.map((page, index) => ({
      items: page.map((minute) => item(minute)),
      similarWords: {},
      nextCursor: isWhole && index === minutes.length - 1 ? null : `after page ${index}`,
    })),
    pageParams: minutes.map((_, index) => (index === 0 ? undefined : `after page ${index - 1}`)),
  }
}

const numbers = (data: FeedbackPages) => data.pages.map((page) => page.items.map(({ number }) => number))

describe('mergeItems', () => {
  it('puts a new item at the top', () => {
    expect(numbers(mergeItems(pages([[5, 4], [3]], false), [item(6)]))).toEqual([[6, 5, 4], [3]])
  })

  it('puts an item that came back between its neighbours', () => {
    expect(
      numbers(
        mergeItems(
          pages(
            [
              [9, 7],
              [5, 3],
            ],
            false,
          ),
          [item(6), item(8)],
        ),
      ),
    ).toEqual([
      [9, 8, 7],
      [6, 5, 3],
    ])
  })

  it('replaces a known item where it stands', () => {
    const merged = mergeItems(pages([[2, 1]], true), [item(1, { status: 'resolved' })])
    expect(merged.pages[0]?.items.map(({ status }) => status)).toEqual(['new', 'resolved'])
  })

  it('leaves an item older than everything loaded to a later page', () => {
    const data = pages([[5, 4]], false)
    expect(mergeItems(data, [item(1)])).toBe(data)
  })

  it('appends it when everything is loaded', () => {
    expect(numbers(mergeItems(pages([[5, 4]], true), [item(1)]))).toEqual([[5, 4, 1]])
    expect(numbers(mergeItems(pages([[]], true), [item(1)]))).toEqual([[1]])
  })

  it('follows the order that was asked for', () => {
    const oldest = { ...pages([[3, 5]], true) }
    expect(numbers(mergeItems(oldest, [item(4), item(6)], 'oldest'))).toEqual([[3, 4, 5, 6]])
    const pressing = mergeItems(pages([[5, 4]], true), [item(1, { priority: 'urgent' })], 'priority')
    expect(numbers(pressing)).toEqual([[1, 5, 4]])
    const touched = mergeItems(pages([[5, 4]], true), [item(1, { updatedAt: item(9).createdAt })], 'updated')
    expect(numbers(touched)).toEqual([[1, 5, 4]])
  })

  it('keeps the cursors', () => {
    const data = pages([[5], [3]], false)
    expect(mergeItems(data, [item(6)]).pages.map(({ nextCursor }) => nextCursor)).toEqual([
      'after page 0',
      'after page 1',
    ])
  })
})

describe('trimPages', () => {
  it('keeps the pages down to the row in view', () => {
    const data = pages([[9, 8], [7, 6], [5]], false)
    expect(numbers(trimPages(data, 2))).toEqual([
      [9, 8],
      [7, 6],
    ])
    expect(trimPages(data, 2).pageParams).toHaveLength(2)
    expect(trimPages(data, 4)).toBe(data)
    expect(trimPages(data, 99)).toBe(data)
  })
})

describe('replaceItem', () => {
  it('answers the same data for an unknown item', () => {
    const data = pages([[2]], true)
    expect(replaceItem(data, 'nobody', (same) => same)).toBe(data)
  })
})

describe('listItems', () => {
  it('shows an item that two pages hold once', () => {
    expect(
      listItems(
        pages(
          [
            [5, 4],
            [4, 3],
          ],
          true,
        ),
      ).map(({ number }) => number),
    ).toEqual([5, 4, 3])
    expect(listItems(undefined)).toEqual([])
  })
})

describe('isContinuous', () => {
  const loaded = pages([[5, 4]], false)
  const head = (minutes: number[], nextCursor: string | null) => ({
    items: minutes.map((minute) => item(minute)),
    similarWords: {},
    nextCursor,
  })

  it('holds when the fresh page reaches what is loaded', () => {
    expect(isContinuous(loaded, head([7, 6, 5], 'more'))).toBe(true)
    expect(isContinuous(loaded, head([7], null))).toBe(true)
    expect(isContinuous(pages([[]], true), head([7, 6], 'more'))).toBe(true)
  })

  it('does not when items may lie between', () => {
    expect(isContinuous(loaded, head([9, 8, 7], 'more'))).toBe(false)
  })
})
