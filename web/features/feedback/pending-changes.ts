import type { Mutation, QueryClient } from '@tanstack/react-query'
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

/**
 * Whether what is read of the item may be older than what is shown: a change of it is on its way, or was sent since the
 * reading began.
 * @param readAt when the reading began, in ms since 1970
 */
export function isOutrun(queryClient: QueryClient, organizationId: string, id: string, readAt = Date.now()): boolean {
  const listSince = <Variables>(mutationKey: readonly string[]) =>
    listVariables<Variables>(
      queryClient,
      mutationKey,
      ({ state }) => state.status === 'pending' || state.submittedAt >= readAt,
    )
  return (
    listSince<ChangeRequest>(changeKey(organizationId)).some(({ item }) => item.id === id) ||
    listSince<BulkRequest | unknown[]>(bulkKey(organizationId)).some(
      // One that is taken back names operations alone: any item may be among them.
      (each) => !('change' in each) || each.items.some((item) => item.id === id),
    )
  )
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
  const isPending = ({ state }: Mutation) => state.status === 'pending'
  const single = listVariables<ChangeRequest>(queryClient, changeKey(organizationId), isPending)
  const many = listVariables<BulkRequest | unknown[]>(queryClient, bulkKey(organizationId), isPending).filter(
    // One that is taken back does not say how the items were.
    (each) => 'change' in each,
  )
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

function listVariables<Variables>(
  queryClient: QueryClient,
  mutationKey: readonly string[],
  predicate: (mutation: Mutation) => boolean,
): Variables[] {
  return queryClient
    .getMutationCache()
    .findAll({ mutationKey, predicate })
    .map(({ state }) => state.variables as Variables)
}
