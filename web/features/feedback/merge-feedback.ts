import type { InfiniteData } from '@tanstack/react-query'
import { type FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'

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

/** Newest first, as the server sorts. */
function compareItems(a: FeedbackListItem, b: FeedbackListItem): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
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
export function mergeItems(data: FeedbackPages, incoming: readonly FeedbackListItem[]): FeedbackPages {
  let merged = data
  for (const item of incoming) {
    const replaced = replaceItem(merged, item.id, () => item)
    merged = replaced === merged ? insertItem(merged, item) : replaced
  }
  return merged
}

function insertItem(data: FeedbackPages, item: FeedbackListItem): FeedbackPages {
  const isAfter = ({ items }: FeedbackPage) => items.some((other) => compareItems(item, other) < 0)
  const found = data.pages.findIndex(isAfter)
  const isWhole = data.pages.at(-1)?.nextCursor === null
  // Older than everything loaded: it comes with a later page, unless this is all there is.
  if (found === -1 && !isWhole) return data
  const target = found === -1 ? data.pages.length - 1 : found
  return {
    ...data,
    pages: data.pages.map((page, index) =>
      index === target ? { ...page, items: [...page.items, item].sort(compareItems) } : page,
    ),
  }
}

/**
 * Whether a freshly read first page continues into what is loaded. If not, more arrived than a page holds, and only
 * loading anew closes the gap.
 */
export function isContinuous(data: FeedbackPages, head: FeedbackPage): boolean {
  const newest = data.pages[0]?.items[0]
  if (newest === undefined || head.nextCursor === null) return true
  const oldest = head.items.at(-1)
  return oldest === undefined || compareItems(oldest, newest) >= 0
}

/** The row of an item's detail. */
export function toListItem(detail: FeedbackDetail): FeedbackListItem {
  const names = Object.keys(FeedbackListItem.properties) as (keyof FeedbackListItem)[]
  return Object.fromEntries(names.map((name) => [name, detail[name]])) as FeedbackListItem
}
