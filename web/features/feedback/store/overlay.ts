import type { FeedbackListItem } from '#contract/feedback.ts'
import { type ItemPatch, toBulkPatch, toPatch } from '../item/item-change.ts'
import type { PendingChange } from './inbox-state.ts'

/** What pending changes say of an item on top of its row. */
export function patchOf(pending: readonly PendingChange[], row: FeedbackListItem): ItemPatch {
  let patch: ItemPatch = {}
  let shown = row
  for (const { itemIds, change, madeAt } of pending) {
    if (!itemIds.has(row.id)) continue
    const next = 'one' in change ? toPatch(shown, change.one, madeAt) : toBulkPatch(shown, change.many, madeAt)
    patch = { ...patch, ...next }
    shown = patchRow(row, patch)
  }
  return patch
}

/** The row with pending changes on top; the same object when there are none. */
export function showRow(pending: readonly PendingChange[], row: FeedbackListItem): FeedbackListItem {
  return pending.some(({ itemIds }) => itemIds.has(row.id)) ? patchRow(row, patchOf(pending, row)) : row
}

function patchRow(row: FeedbackListItem, patch: ItemPatch): FeedbackListItem {
  const { closedReason: _, deletedAt: __, ...rowPatch } = patch
  return { ...row, ...rowPatch }
}

/**
 * Takes an item out of confirmed changes that its row contains: those whose version it has reached, and those that were
 * confirmed before the read of the row was requested. Changes on top of others stay as long as those.
 * @param requestedAt undefined: the row was announced, and may have been read before the change
 */
export function releaseItem(
  pending: readonly PendingChange[],
  { id, version }: Pick<FeedbackListItem, 'id' | 'version'>,
  requestedAt: number | undefined,
): readonly PendingChange[] {
  let isOnTop = false
  return pending.flatMap((each) => {
    const { itemIds, confirmedAt } = each
    if (!itemIds.has(id)) return [each]
    const isRead = confirmedAt !== undefined && requestedAt !== undefined && confirmedAt <= requestedAt
    const isReached = each.confirmedVersion !== undefined && each.confirmedVersion <= version
    if (isOnTop || !(isRead || isReached)) {
      isOnTop = true
      return [each]
    }
    const left = new Set(itemIds)
    left.delete(id)
    return left.size > 0 ? [{ ...each, itemIds: left }] : []
  })
}

/**
 * Whether a row contradicts a confirmed change: the row may be older than the change, or someone has changed the item
 * since.
 */
export function isContradicted(pending: readonly PendingChange[], row: FeedbackListItem): boolean {
  const confirmed = pending.filter(({ itemIds, confirmedAt }) => confirmedAt !== undefined && itemIds.has(row.id))
  return confirmed.length > 0 && JSON.stringify(row) !== JSON.stringify(showRow(confirmed, row))
}

const isMark = ({ change }: PendingChange) => 'many' in change && change.many.viewed !== undefined

/**
 * Whether a row contradicts a mark of this one item as read or unread that was confirmed after the row was requested:
 * marks count no version up, so that either may be the older.
 */
export function isMarkContradicted(
  pending: readonly PendingChange[],
  row: FeedbackListItem,
  requestedAt: number,
): boolean {
  return pending.some(
    (each) =>
      isMark(each) &&
      each.itemIds.size === 1 &&
      each.itemIds.has(row.id) &&
      each.confirmedAt !== undefined &&
      each.confirmedAt > requestedAt &&
      showRow([each], row).unread !== row.unread,
  )
}
