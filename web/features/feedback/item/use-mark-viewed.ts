import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { v7 as uuidV7 } from 'uuid'
import { type FeedbackListItem, updateFeedback } from '#contract/feedback.ts'
import { call } from '#web/lib/api.ts'
import { storeOf } from '../feedback-store.ts'
import { toListItem } from '../store/show-detail.ts'

/** An item that j and k only pass is not read. */
const readAfterMs = 400

/** Marks the open item as viewed by the team, once it has been open for a moment. */
export function useMarkViewed(organizationId: string, item: FeedbackListItem | undefined, isAllowed: boolean): void {
  const queryClient = useQueryClient()
  const unreadId = isAllowed && item?.firstViewedAt === null ? item.id : undefined
  useEffect(() => {
    if (unreadId === undefined) return
    const timer = setTimeout(() => {
      const store = storeOf(queryClient, organizationId)
      const changeId = uuidV7()
      store.dispatch({ type: 'change made', changeId, itemIds: [unreadId], change: { many: { viewed: true } } })
      const requestedAt = store.requestTime()
      call(updateFeedback, { params: { organizationId, feedbackId: unreadId }, body: { viewed: true } })
        .then((detail) => ({ row: toListItem(detail), requestedAt }))
        // The item shows as unread again with the next read of the list, and needs no message.
        .catch(() => undefined)
        .then((answer) => store.dispatch({ type: 'change confirmed', changeId, ...(answer && { answer }) }))
    }, readAfterMs)
    return () => clearTimeout(timer)
  }, [queryClient, organizationId, unreadId])
}
