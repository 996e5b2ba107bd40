import type { QueryClient } from '@tanstack/react-query'
import { v7 as uuidV7 } from 'uuid'
import { updateFeedback } from '#contract/feedback.ts'
import { call } from '#web/lib/api.ts'
import { toast, toastDurationsMs } from '#web/ui/toast.tsx'
import { storeOf } from '../feedback-store.ts'
import { toListItem } from '../store/show-detail.ts'
import { keepUndo } from '../undo-changes.ts'
import { type ChangedItem, describeRead } from './item-change.ts'

/** Marks an item as read or unread for oneself. */
export async function markRead(
  queryClient: QueryClient,
  organizationId: string,
  feedbackId: string,
  viewed: boolean,
): Promise<void> {
  const store = storeOf(queryClient, organizationId)
  const changeId = uuidV7()
  // As a change of many: what a member has read counts no version up.
  store.dispatch({ type: 'change made', changeId, itemIds: [feedbackId], change: { many: { viewed } } })
  const requestedAt = store.requestTime()
  try {
    const detail = await call(updateFeedback, { params: { organizationId, feedbackId }, body: { viewed } })
    store.dispatch({ type: 'change confirmed', changeId, answer: { row: toListItem(detail), requestedAt } })
  } catch (error) {
    // The next read of the list shows what the server says. Now, the item would be marked again and again.
    store.dispatch({ type: 'change confirmed', changeId })
    throw error
  }
}

/** {@link markRead} at a person's request: with a message, and undone from there or by Ctrl+Z. */
export function markReadAndTell(
  queryClient: QueryClient,
  organizationId: string,
  { id, number, unread }: ChangedItem,
  viewed: boolean,
): void {
  if (unread !== viewed) return
  const text = `#${number}: ${describeRead(viewed)}`
  const mark = (isRead: boolean) =>
    markRead(queryClient, organizationId, id, isRead).catch((error: unknown) => {
      toast({
        tone: 'danger',
        title: 'Couldn’t save the change',
        description: error instanceof Error ? error.message : '',
        durationMs: toastDurationsMs.long,
      })
    })
  const { undo } = keepUndo(storeOf(queryClient, organizationId), () => {
    void mark(!viewed)
    toast({ title: `Undone · ${text}` })
  })
  void mark(viewed)
  toast({ title: text, action: { label: 'Undo', onPress: undo } })
}
