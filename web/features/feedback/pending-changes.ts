import type { QueryClient } from '@tanstack/react-query'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { BulkChange } from '#contract/triage.ts'
import { type ChangedItem, type ItemChange, type ItemPatch, toBulkPatch, toPatch } from './item-change.ts'

/** A change of one item that the server is asked for. */
export interface ChangeRequest {
  item: ChangedItem
  change: ItemChange
  /** What the person saw when deciding. */
  seen: ItemChange
}

/** What is changed: the items shown that were chosen, and, if all that match were, what they match. */
export interface BulkTarget {
  items: readonly FeedbackListItem[]
  selection: FeedbackSelection | undefined
}

/** A change of many items that the server is asked for. */
export interface BulkRequest extends BulkTarget {
  change: BulkChange
  /** One per operation, made once: a retry is the same operation. */
  operationIds: readonly string[]
}

export const changeKey = (organizationId: string) => ['change-feedback', organizationId] as const
export const bulkKey = (organizationId: string) => ['change-many', organizationId] as const

/** Whether a change of the item is on its way: what is read meanwhile may be older than what is shown. */
export function isChanging(queryClient: QueryClient, organizationId: string, id: string): boolean {
  return listChanges(queryClient, organizationId).some(({ item }) => item.id === id)
}

/** Whether a change of many items is on its way here: what is read meanwhile is half of the truth. */
export function isChangingMany(queryClient: QueryClient, organizationId: string): boolean {
  return queryClient.isMutating({ mutationKey: bulkKey(organizationId) }) > 0
}

/** Rows as they will be: what is on its way is shown, whatever was read in the meantime. */
export function foresee(
  queryClient: QueryClient,
  organizationId: string,
  rows: FeedbackListItem[],
): FeedbackListItem[] {
  const single = listChanges(queryClient, organizationId)
  const many = listBulkChanges(queryClient, organizationId)
  if (single.length + many.length === 0) return rows
  const ofMany = many.map(({ items, change }) => ({ ids: new Set(items.map(({ id }) => id)), change }))
  return rows.map((row) => {
    let next = row
    for (const { item, change } of single) if (item.id === row.id) next = patchRow(next, toPatch(next, change))
    for (const { ids, change } of ofMany) if (ids.has(row.id)) next = patchRow(next, toBulkPatch(next, change))
    return next
  })
}

/** A row by what is known of the whole item. */
export function patchRow(row: FeedbackListItem, patch: ItemPatch): FeedbackListItem {
  const { closedReason: _, deletedAt: __, ...rowPatch } = patch
  return { ...row, ...rowPatch }
}

function listChanges(queryClient: QueryClient, organizationId: string): ChangeRequest[] {
  return listPending<ChangeRequest>(queryClient, changeKey(organizationId))
}

function listBulkChanges(queryClient: QueryClient, organizationId: string): BulkRequest[] {
  // One that is taken back names operations alone.
  return listPending<BulkRequest | unknown[]>(queryClient, bulkKey(organizationId)).filter((each) => 'change' in each)
}

function listPending<Variables>(queryClient: QueryClient, mutationKey: readonly string[]): Variables[] {
  return queryClient
    .getMutationCache()
    .findAll({ mutationKey, status: 'pending' })
    .map(({ state }) => state.variables as Variables)
}
