import { type FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import type { InboxState } from './inbox-state.ts'
import { patchOf } from './overlay.ts'

/** An item as it is shown: its row may be newer than the whole of it, and pending changes are on top. */
export function showDetail({ items, pending }: Pick<InboxState, 'items' | 'pending'>, detail: FeedbackDetail) {
  const row = items.get(detail.id)?.row
  const newest: FeedbackDetail = row && row.version >= detail.version ? { ...detail, ...row } : detail
  if (!pending.some(({ itemIds }) => itemIds.has(detail.id))) return newest
  return { ...newest, ...patchOf(pending, newest) }
}

/** The row of an item's detail. */
export function toListItem(detail: FeedbackDetail): FeedbackListItem {
  // `Object.keys` gives strings; these are the schema's fields.
  const names = Object.keys(FeedbackListItem.properties) as (keyof FeedbackListItem)[]
  // Each field of a row, from a detail that has them all.
  return Object.fromEntries(names.map((name) => [name, detail[name]])) as FeedbackListItem
}
