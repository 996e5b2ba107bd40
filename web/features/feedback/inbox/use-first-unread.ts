import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'

/** From here on the list and the open item stand side by side. */
const wideScreen = '(min-width: 64rem)'

interface FirstUnread {
  /** Undefined: not loaded yet. */
  items: readonly FeedbackListItem[] | undefined
  /** Whether the list is one to start with, and nothing is open. */
  isWanted: boolean
  onCursor: (id: string) => void
  openItem: (id: string, options: { isAutomatic: true }) => void
}

/**
 * Opens the first unread item when the inbox is entered with nothing open, on wide screens. Once: closing it later shows
 * the list alone.
 *
 * @returns the id of the item that was opened so.
 */
export function useFirstUnread({ items, isWanted, onCursor, openItem }: FirstUnread): string | undefined {
  const isDecided = useRef(false)
  const [openedId, setOpenedId] = useState<string>()
  const decide = useEffectEvent((loaded: readonly FeedbackListItem[]) => {
    if (isDecided.current) return
    isDecided.current = true
    const first = isWanted && window.matchMedia(wideScreen).matches ? loaded.find(({ unread }) => unread) : undefined
    if (!first) return
    setOpenedId(first.id)
    onCursor(first.id)
    openItem(first.id, { isAutomatic: true })
  })
  useEffect(() => {
    if (items) decide(items)
  }, [items])
  return openedId
}
