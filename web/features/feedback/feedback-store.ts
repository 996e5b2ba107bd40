import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { type FeedbackDetail, getFeedback } from '#contract/feedback.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { itemKey, listsKey } from './query-keys.ts'
import { emptyState, type InboxState } from './store/inbox-state.ts'
import { createInboxStore, type InboxStore } from './store/shared-store.ts'
import { toListItem } from './store/show-detail.ts'

const stores = new WeakMap<QueryClient, Map<string, InboxStore>>()

/** The store of an organisation's items. Lists whose queries are removed from the cache leave it, with their rows. */
export function storeOf(queryClient: QueryClient, organizationId: string): InboxStore {
  const byOrganization = stores.get(queryClient) ?? new Map<string, InboxStore>()
  stores.set(queryClient, byOrganization)
  const known = byOrganization.get(organizationId)
  if (known) return known
  const store = createInboxStore()
  byOrganization.set(organizationId, store)
  const prefix = listsKey(organizationId)
  queryClient.getQueryCache().subscribe(({ type, query: { queryKey, queryHash, state } }) => {
    if (type !== 'removed' || !prefix.every((part, index) => queryKey[index] === part)) return
    // A grouped list consists of several. What other queries under this key would hold has no pages.
    const pages = (state.data as { pages?: { list: string }[] } | undefined)?.pages ?? []
    for (const list of new Set([queryHash, ...pages.map((page) => page.list)])) {
      store.dispatch({ type: 'list forgotten', list })
    }
  })
  store.subscribe(() => {
    for (const id of store.getState().doubtful) readItem(queryClient, organizationId, id).catch(() => {})
  })
  return store
}

/** The present state of the store; follows it. */
export function useStoreState(organizationId: string): InboxState {
  const { subscribe, getState } = storeOf(useQueryClient(), organizationId)
  return useSyncExternalStore(subscribe, getState, () => emptyState)
}

/** Reads an item now, also while an earlier read of it is under way, which may be older than what is asked for. */
export async function readItem(queryClient: QueryClient, organizationId: string, id: string): Promise<void> {
  const store = storeOf(queryClient, organizationId)
  const requestedAt = store.requestTime()
  try {
    const detail = await call(getFeedback, { params: { organizationId, feedbackId: id } })
    storeDetail(queryClient, organizationId, detail, requestedAt)
  } catch (error) {
    if (!isItemGone(error)) throw error
    store.dispatch({ type: 'item gone', id, requestedAt })
    // An open item panel reloads.
    await queryClient.invalidateQueries({ queryKey: itemKey(organizationId, id) })
  }
}

/** Stores the answer of a request about a whole item. */
export function storeDetail(
  queryClient: QueryClient,
  organizationId: string,
  detail: FeedbackDetail,
  requestedAt: number,
): void {
  storeOf(queryClient, organizationId).dispatch({ type: 'item read', row: toListItem(detail), requestedAt })
  cacheDetail(queryClient, organizationId, detail)
}

/** Keeps the whole item for who opens it, unless a newer one is known or the item is gone. */
export function cacheDetail(queryClient: QueryClient, organizationId: string, detail: FeedbackDetail): void {
  const queryKey = itemKey(organizationId, detail.id)
  const error = queryClient.getQueryState(queryKey)?.error
  // New data would make a deleted item look as if it could be read again.
  if (error && isGone(error)) return
  queryClient.setQueryData<FeedbackDetail>(queryKey, (known) =>
    known && known.version > detail.version ? known : detail,
  )
}

/** Asking again would not bring an item back: permanently deleted, deleted with its project, or no longer readable. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && [403, 404].includes(error.status)
}

/** Whether the item itself is gone, and not the right to read the organisation. */
export function isItemGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'feedback_not_found'
}
