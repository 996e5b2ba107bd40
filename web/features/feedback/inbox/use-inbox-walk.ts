import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { prefetchItem } from '../feedback-queries.ts'
import { useCursorFallback } from './use-cursor-fallback.ts'

interface Walk {
  organizationId: string
  items: readonly FeedbackListItem[]
  /** The open item. */
  itemId: string | undefined
  /** Where the keyboard stands in the list. */
  cursorId: string | undefined
  onCursor: (id: string | undefined) => void
  openItem: (id: string) => void
  closeItem: () => void
  /** What the list shows; another list starts from its beginning. */
  scope: string
  /** Called near the end of what is loaded. */
  onEnd: () => void
}

/** Rows from the end at which the keyboard asks for more. */
const rowsAhead = 4

/** Goes through the list by keyboard, from row to row, or from open item to open item. */
export function useInboxWalk(walk: Walk) {
  const { organizationId, items, itemId, cursorId, onCursor, openItem, closeItem, scope, onEnd } = walk
  const queryClient = useQueryClient()
  // Raised whenever the keyboard moved: the row is then brought into view and focused.
  const [moves, setMoves] = useState(0)
  const noteMove = () => setMoves((count) => count + 1)
  const currentId = itemId ?? cursorId
  const index = items.findIndex(({ id }) => id === currentId)

  useCursorFallback(items, itemId === undefined ? cursorId : undefined, scope, (id) => {
    onCursor(id)
    // The row that had the focus took it along.
    if (document.activeElement === document.body) noteMove()
  })

  // The neighbours are likely next: with them at hand, j and k show the whole item at once.
  const neighbourIds = itemId === undefined ? '' : [items[index + 1]?.id, items[index - 1]?.id].join()
  useEffect(() => {
    for (const id of neighbourIds.split(',').filter(Boolean)) prefetchItem(queryClient, organizationId, id)
  }, [queryClient, organizationId, neighbourIds])

  const open = useCallback(
    (id: string) => {
      onCursor(id)
      openItem(id)
    },
    [onCursor, openItem],
  )
  const moveTo = (target: number) => {
    const item = items[target]
    if (!item) return
    onCursor(item.id)
    if (itemId !== undefined) openItem(item.id)
    noteMove()
    if (target >= items.length - rowsAhead) onEnd()
  }
  return {
    index,
    moves,
    open,
    next: () => moveTo(index + 1),
    previous: () => moveTo(index === -1 ? 0 : index - 1),
    close: () => {
      closeItem()
      noteMove()
    },
    /** Moves on to the next item when one leaves the list. */
    leave: (item: FeedbackListItem) => {
      const at = items.findIndex(({ id }) => id === item.id)
      if (at === -1 || item.id !== currentId) return
      const neighbour = items[at + 1] ?? items[at - 1]
      onCursor(neighbour?.id)
      if (itemId !== undefined && neighbour) openItem(neighbour.id)
      else if (itemId !== undefined) closeItem()
      noteMove()
    },
  }
}
