import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { isImpersonated } from '#web/lib/storage.ts'
import { markRead } from './mark-read.ts'

/** An item that j and k only pass is not read. */
const readAfterMs = 400
/** One that opened by itself may not have been looked at. */
const readAfterOpenedItselfMs = 3000

/**
 * Marks the open item as read by the person, once it has been open for a moment.
 *
 * @param isAutomatic whether it opened by itself.
 * @returns what keeps the item unread until it is opened again.
 */
export function useMarkViewed(
  organizationId: string,
  item: FeedbackListItem | undefined,
  isAllowed: boolean,
  isAutomatic: boolean,
): () => void {
  const queryClient = useQueryClient()
  const [keptId, setKeptId] = useState<string>()
  if (keptId !== undefined && keptId !== item?.id) setKeptId(undefined)
  const unreadId = isAllowed && !isImpersonated() && item?.unread && item.id !== keptId ? item.id : undefined
  useEffect(() => {
    if (unreadId === undefined) return
    const timer = setTimeout(
      // A failure needs no message: the item shows as unread again with the next read of the list.
      () => void markRead(queryClient, organizationId, unreadId, true).catch(() => undefined),
      isAutomatic ? readAfterOpenedItselfMs : readAfterMs,
    )
    return () => clearTimeout(timer)
  }, [queryClient, organizationId, unreadId, isAutomatic])
  return () => setKeptId(item?.id)
}
