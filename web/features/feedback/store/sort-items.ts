import { type FeedbackListItem, feedbackPriorities } from '#contract/feedback.ts'
import type { InboxSort } from '#contract/inbox.ts'

/** What the order of a list is made of. */
export type SortKey = Pick<FeedbackListItem, 'id' | 'createdAt' | 'updatedAt' | 'priority'>

export function toSortKey({ id, createdAt, updatedAt, priority }: FeedbackListItem): SortKey {
  return { id, createdAt, updatedAt, priority }
}

/** The server's order, to the millisecond: negative when `a` stands above `b`. */
export function compareItems(a: SortKey, b: SortKey, sort: InboxSort): number {
  if (sort === 'oldest') return -compareTimes(a.createdAt, b.createdAt, a.id, b.id)
  if (sort === 'updated') return compareTimes(a.updatedAt, b.updatedAt, a.id, b.id)
  const rank = ({ priority }: SortKey) => feedbackPriorities.indexOf(priority)
  if (sort === 'priority' && a.priority !== b.priority) return rank(b) - rank(a)
  return compareTimes(a.createdAt, b.createdAt, a.id, b.id)
}

/** The later first; of the same moment, the larger id. */
function compareTimes(a: string, b: string, aId: string, bId: string): number {
  if (a !== b) return a < b ? 1 : -1
  return aId < bId ? 1 : aId > bId ? -1 : 0
}
