import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type FeedbackListItem, updateFeedback } from '#contract/feedback.ts'
import { call } from '#web/lib/api.ts'
import { patchItem } from './feedback-queries.ts'

/** Passing by with j and k is not reading. */
const readAfterMs = 400

/** Marks the open item as seen by the team, once it has been open for a moment. */
export function useMarkViewed(organizationId: string, item: FeedbackListItem | undefined, isAllowed: boolean): void {
  const queryClient = useQueryClient()
  const unreadId = isAllowed && item?.firstViewedAt === null ? item.id : undefined
  useEffect(() => {
    if (unreadId === undefined) return
    const timer = setTimeout(() => {
      patchItem(queryClient, organizationId, unreadId, { firstViewedAt: new Date().toISOString() })
      // Should it fail, the item reads as unread again with the next look at the list: nothing to trouble anyone with.
      call(updateFeedback, { params: { organizationId, feedbackId: unreadId }, body: { viewed: true } }).catch(() => {})
    }, readAfterMs)
    return () => clearTimeout(timer)
  }, [queryClient, organizationId, unreadId])
}
