import { describe, expect, it } from 'vitest'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { InboxSort } from '#contract/inbox.ts'
import { type Filters, noFilters } from '../filters/feedback-filters.ts'
import { emptyState, type InboxAction, type InboxState } from './inbox-state.ts'
import { leavesGap } from './places.ts'
import { reduce } from './reduce.ts'
import { requestTime } from './request-time.ts'
import { selectRows } from './select-rows.ts'
import { toSortKey } from './sort-items.ts'

const now = new Date('2026-11-22T12:00:00.000Z')

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
    snoozedUntil: null,
    visitorEmail: null,
    visitorName: null,
    pageUrl: 'https://example.com/',
    createdAt: `2026-11-21T09:${two}:00.000Z`,
    updatedAt: `2026-11-21T09:${two}:00.000Z`,
    location: 'inbox',
    assigneeId: null,
    mergedInto: null,
    locked: false,
    version: 1,
    firstViewedAt: null,
    unread: true,
    lastReplyBy: null,
    issues: [],
    ...change,
  }
}

/** A store that has read pages of a list, as scrolling does. */
function openList(minutes: number[][], { isWhole = false, filters = noFilters as Filters } = {}) {
  let state: InboxState = emptyState
  const pages = minutes.map((page) => page.map((minute) => item(minute)))
  const endOf = (index: number) => pages[index]?.at(-1)
  const dispatch = (action: InboxAction) => {
    state = reduce(state, action, now)
  }
  const readPage = (index: number, rows: readonly FeedbackListItem[], requestedAt = requestTime(state)) => {
    const before = endOf(index - 1)
    dispatch({
      type: 'page read',
      list: 'list',
      filters,
      rows,
      after: before && toSortKey(before),
      isLast: isWhole && index === pages.length - 1,
      requestedAt,
    })
  }
  for (const [index, rows] of pages.entries()) readPage(index, rows)
  const last = endOf(pages.length - 1)
  const rows = (openId?: string) => selectRows(state, 'list', isWhole || !last ? null : last, openId, now)
  return {
    dispatch,
    readPage,
    announce: (...items: FeedbackListItem[]) => dispatch({ type: 'rows announced', rows: items }),
    rows,
    numbers: (openId?: string) => rows(openId).map(({ number }) => number),
    time: () => requestTime(state),
    doubtful: () => state.doubtful,
    state: () => state,
  }
}

const archived: InboxAction & { type: 'change made' } = {
  type: 'change made',
  changeId: 'mine',
  itemIds: [item(4).id],
  change: { one: { archived: true } },
}

describe('an announced row', () => {
  it('of a new item stands at the top', () => {
    const list = openList([[5, 4], [3]])
    list.announce(item(6))
    expect(list.numbers()).toEqual([6, 5, 4, 3])
  })

  it('of a returning item stands between its neighbours', () => {
    const list = openList([
      [9, 7],
      [5, 3],
    ])
    list.announce(item(6), item(8))
    expect(list.numbers()).toEqual([9, 8, 7, 6, 5, 3])
  })

  it('replaces a known row where it stands', () => {
    const list = openList([[2, 1]], { isWhole: true })
    list.announce(item(1, { status: 'in_progress', version: 2 }))
    expect(list.rows().map(({ status }) => status)).toEqual(['new', 'in_progress'])
  })

  it('below everything that is loaded comes with its page', () => {
    const list = openList([[5, 4]])
    list.announce(item(1))
    expect(list.numbers()).toEqual([5, 4])
  })

  it('is appended when the list is loaded to its end', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.announce(item(1))
    expect(list.numbers()).toEqual([5, 4, 1])
    const empty = openList([[]], { isWhole: true })
    empty.announce(item(1))
    expect(empty.numbers()).toEqual([1])
  })

  it('stands where the sort puts it', () => {
    const sorted = (sort: InboxSort, minutes: number[], ...rows: FeedbackListItem[]) => {
      const list = openList([minutes], { isWhole: true, filters: { ...noFilters, sort } })
      list.announce(...rows)
      return list.numbers()
    }
    expect(sorted('oldest', [3, 5], item(4), item(6))).toEqual([3, 4, 5, 6])
    expect(sorted('priority', [5, 4], item(1, { priority: 'urgent' }))).toEqual([1, 5, 4])
    expect(sorted('updated', [5, 4], item(1, { updatedAt: item(9).createdAt }))).toEqual([1, 5, 4])
  })

  it('leaves the list when its filters leave it out, unless the item is open', () => {
    const list = openList([[5, 4]], { isWhole: true, filters: { ...noFilters, status: ['new'] } })
    list.announce(item(4, { status: 'closed', version: 2 }))
    expect(list.numbers()).toEqual([5])
    expect(list.numbers(item(4).id)).toEqual([5, 4])
    list.announce(item(4, { status: 'closed', location: 'archived', version: 3 }))
    expect(list.numbers(item(4).id)).toEqual([5])
  })

  it('does not join a search, whose words only the server can look for', () => {
    const list = openList([[5]], { isWhole: true, filters: { ...noFilters, q: 'chair' } })
    list.announce(item(6))
    expect(list.numbers()).toEqual([5])
  })

  it('of an older version changes nothing', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.announce(item(4, { location: 'archived', version: 3 }))
    list.announce(item(4, { version: 2 }))
    expect(list.numbers()).toEqual([5])
  })
})

describe('a page', () => {
  it('that contains an item of another page shows it once', () => {
    const list = openList([
      [5, 4],
      [4, 3],
    ])
    expect(list.numbers()).toEqual([5, 4, 3])
  })

  it('read again drops items that it should contain and does not', () => {
    const list = openList([[5, 4, 3]])
    list.readPage(0, [item(5), item(3)])
    expect(list.numbers()).toEqual([5, 3])
  })

  it('requested before an item was announced does not drop it', () => {
    const list = openList([[5, 4]])
    const requestedAt = list.time()
    list.announce(item(6))
    list.readPage(0, [item(5), item(4)], requestedAt)
    expect(list.numbers()).toEqual([6, 5, 4])
  })

  it('that comes late does not bring back an item that a later one lacked', () => {
    const list = openList([[5, 4, 3]])
    const requestedAt = list.time()
    list.announce(item(6))
    list.readPage(0, [item(6), item(5), item(3)])
    list.readPage(0, [item(5), item(4), item(3)], requestedAt)
    expect(list.numbers()).toEqual([6, 5, 3])
  })

  it('keeps the order of the server within a millisecond', () => {
    const list = openList([[5, 4]], { isWhole: true })
    const { createdAt } = item(6)
    list.readPage(0, [item(6, { createdAt }), item(7, { createdAt }), item(5), item(4)])
    expect(list.numbers()).toEqual([6, 7, 5, 4])
  })
})

describe('an own change', () => {
  it('shows at once, and goes when the server refuses it', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.dispatch(archived)
    expect(list.numbers()).toEqual([5])
    list.dispatch({ type: 'change rejected', changeId: 'mine' })
    expect(list.numbers()).toEqual([5, 4])
  })

  it('is not taken back by a list that was requested before it was confirmed', () => {
    const list = openList([[5, 4]], { isWhole: true })
    const requestedAt = list.time()
    list.dispatch(archived)
    list.readPage(0, [item(5), item(4)], requestedAt)
    expect(list.numbers()).toEqual([5])
    const answer = { row: item(4, { location: 'archived', version: 2 }), requestedAt }
    list.dispatch({ type: 'change confirmed', changeId: 'mine', answer })
    list.readPage(0, [item(5), item(4)], requestedAt)
    expect(list.numbers()).toEqual([5])
  })

  it('of many shows until a read that was requested after its confirmation', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.dispatch({ ...archived, itemIds: [item(5).id, item(4).id], change: { many: { archived: true } } })
    const requestedAt = list.time()
    list.dispatch({ type: 'change confirmed', changeId: 'mine' })
    list.readPage(0, [item(5), item(4)], requestedAt)
    expect(list.numbers()).toEqual([])
    // The server has left one out after all.
    list.readPage(0, [item(4)])
    expect(list.numbers()).toEqual([4])
  })

  it('of many leaves an item in doubt that is announced otherwise: it has to be read', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.dispatch({ ...archived, change: { many: { archived: true } } })
    list.dispatch({ type: 'change confirmed', changeId: 'mine' })
    list.announce(item(4, { status: 'open', version: 2 }))
    expect(list.numbers()).toEqual([5])
    expect(list.doubtful()).toEqual([item(4).id])
    list.dispatch({ type: 'item read', row: item(4, { status: 'open', version: 4 }), requestedAt: list.time() })
    expect(list.numbers()).toEqual([5, 4])
  })

  it('of many that was undone shows what the server says', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.dispatch({ ...archived, change: { many: { archived: true } } })
    list.dispatch({ type: 'change confirmed', changeId: 'mine' })
    list.dispatch({ type: 'change undone', changeId: 'mine' })
    expect(list.numbers()).toEqual([5, 4])
  })

  it('stays on top of one that was made before', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.dispatch({ ...archived, changeId: 'many', change: { many: { priority: 'low' } } })
    list.dispatch({ ...archived, change: { one: { priority: 'urgent' } } })
    const answer = { row: item(4, { priority: 'urgent', version: 3 }), requestedAt: list.time() }
    list.dispatch({ type: 'change confirmed', changeId: 'many' })
    list.dispatch({ type: 'change confirmed', changeId: 'mine', answer })
    expect(list.rows()[1]?.priority).toBe('urgent')
  })
})

describe('a deleted item', () => {
  it('does not come back with a late answer or event', () => {
    const list = openList([[5, 4]], { isWhole: true })
    const requestedAt = list.time()
    list.announce(item(6))
    list.dispatch({ type: 'item gone', id: item(4).id, requestedAt: list.time() })
    list.announce(item(4, { version: 2 }))
    list.dispatch({ type: 'item read', row: item(4, { version: 2 }), requestedAt })
    list.readPage(0, [item(5), item(4)], requestedAt)
    expect(list.numbers()).toEqual([6, 5])
  })
})

describe('a forgotten list', () => {
  it('takes its items along, except those with pending changes', () => {
    const list = openList([[5, 4]], { isWhole: true })
    list.dispatch(archived)
    list.dispatch({ type: 'list forgotten', list: 'list' })
    expect([...list.state().items.keys()]).toEqual([item(4).id])
  })
})

describe('a list that was never read', () => {
  it('shows nothing', () => {
    expect(selectRows(emptyState, 'list', null, undefined, now)).toEqual([])
  })
})

describe('a first page', () => {
  const top = { id: item(5).id, by: item(5) }

  it('continues into what is loaded when it reaches it', () => {
    expect(leavesGap(top, item(5), 'newest')).toBe(false)
    expect(leavesGap(top, null, 'newest')).toBe(false)
    expect(leavesGap(undefined, item(6), 'newest')).toBe(false)
  })

  it('leaves a gap when items may be missing in between', () => {
    expect(leavesGap(top, item(7), 'newest')).toBe(true)
  })
})
