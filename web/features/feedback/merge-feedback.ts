import type { InfiniteData } from '@tanstack/react-query'
import { type FeedbackDetail, FeedbackListItem, feedbackPriorities } from '#contract/feedback.ts'
import type { InboxSort } from '#contract/inbox.ts'

export interface FeedbackPage {
  items: FeedbackListItem[]
  nextCursor: string | null
  similarWords: Record<string, string[]>
}

export type FeedbackPages = InfiniteData<FeedbackPage>

/** All loaded items in order. One that two pages hold (it arrived between them) counts once. */
export function listItems(data: FeedbackPages | undefined): FeedbackListItem[] {
  const seen = new Set<string>()
  return (data?.pages ?? []).flatMap(({ items }) =>
    items.filter(({ id }) => {
      if (seen.has(id)) return false
      seen.add(id)
      return true
    }),
  )
}

/** In the server's order: negative when `a` stands above `b`. */
function compareItems(a: FeedbackListItem, b: FeedbackListItem, sort: InboxSort): number {
  if (sort === 'oldest') return -compareTimes(a.createdAt, b.createdAt, a.id, b.id)
  if (sort === 'updated') return compareTimes(a.updatedAt, b.updatedAt, a.id, b.id)
  const rank = ({ priority }: FeedbackListItem) => feedbackPriorities.indexOf(priority)
  if (sort === 'priority' && a.priority !== b.priority) return rank(b) - rank(a)
  return compareTimes(a.createdAt, b.createdAt, a.id, b.id)
}

/** The later first; of the same moment, the larger id. */
function compareTimes(a: string, b: string, aId: string, bId: string): number {
  if (a !== b) return a < b ? 1 : -1
  return aId < bId ? 1 : aId > bId ? -1 : 0
}

/** Replaces an item where it stands. The same data when no page holds it. */
export function replaceItem(
  data: FeedbackPages,
  id: string,
  change: (item: FeedbackListItem) => FeedbackListItem,
): FeedbackPages {
  if (!data.pages.some(({ items }) => items.some((item) => item.id === id))) return data
  return {
    ...data,
    pages: data.pages.map((page) =>
      page.items.some((item) => item.id === id)
        ? { ...page, items: page.items.map((item) => (item.id === id ? change(item) : item)) }
        : page,
    ),
  }
}

/**
 * Brings items that were just read into the pages: known ones are replaced, new ones inserted where they belong, as
 * far as that part of the list is loaded. The pages' cursors stay as they are, so reading on continues rightly.
 */
export function mergeItems(
  data: FeedbackPages,
  incoming: readonly FeedbackListItem[],
  sort: InboxSort = 'newest',
): FeedbackPages {
  let merged = data
  for (const item of incoming) {
    const replaced = replaceItem(merged, item.id, () => item)
    merged = replaced === merged ? insertItem(merged, item, sort) : replaced
  }
  return merged
}

function insertItem(data: FeedbackPages, item: FeedbackListItem, sort: InboxSort): FeedbackPages {
  const compare = (a: FeedbackListItem, b: FeedbackListItem) => compareItems(a, b, sort)
  const isAfter = ({ items }: FeedbackPage) => items.some((other) => compare(item, other) < 0)
  const found = data.pages.findIndex(isAfter)
  const isWhole = data.pages.at(-1)?.nextCursor === null
  // Below everything loaded: it comes with a later page, unless this is all there is.
  if (found === -1 && !isWhole) return data
  const target = found === -1 ? data.pages.length - 1 : found
  return {
    ...data,
    pages: data.pages.map((page, index) =>
      index === target ? { ...page, items: insertSorted(page.items, item, compare) } : page,
    ),
  }
}

/** Puts an item above the first that stands below it. What is out of order by then (changed since) stays where it is. */
function insertSorted(
  items: readonly FeedbackListItem[],
  item: FeedbackListItem,
  compare: (a: FeedbackListItem, b: FeedbackListItem) => number,
): FeedbackListItem[] {
  const found = items.findIndex((other) => compare(item, other) < 0)
  const index = found === -1 ? items.length : found
  return [...items.slice(0, index), item, ...items.slice(index)]
}

/** The pages up to the one that holds the row at `index`: what is read anew instead of thousands of rows out of sight. */
export function trimPages(data: FeedbackPages, index: number): FeedbackPages {
  let count = 0
  const last = data.pages.findIndex(({ items }) => {
    count += items.length
    return index < count
  })
  if (last === -1 || last === data.pages.length - 1) return data
  return { pages: data.pages.slice(0, last + 1), pageParams: data.pageParams.slice(0, last + 1) }
}

/**
 * Whether a freshly read first page continues into what is loaded. If not, more arrived than a page holds, and only
 * loading anew closes the gap.
 */
export function isContinuous(data: FeedbackPages, head: FeedbackPage, sort: InboxSort = 'newest'): boolean {
  const newest = data.pages[0]?.items[0]
  if (newest === undefined || head.nextCursor === null) return true
  const oldest = head.items.at(-1)
  return oldest === undefined || compareItems(oldest, newest, sort) >= 0
}

/** The row of an item's detail. */
export function toListItem(detail: FeedbackDetail): FeedbackListItem {
  const names = Object.keys(FeedbackListItem.properties) as (keyof FeedbackListItem)[]
  return Object.fromEntries(names.map((name) => [name, detail[name]])) as FeedbackListItem
}
