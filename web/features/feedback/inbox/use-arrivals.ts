import { type RefObject, useCallback, useState } from 'react'
import type { FeedbackListItem } from '#contract/feedback.ts'

/** New items: announced to screen readers, and counted while they stand above what is in view. */
export function useArrivals(listPane: RefObject<HTMLElement | null>) {
  const [arrivedIds, setArrivedIds] = useState<ReadonlySet<string>>(new Set())
  const [announcement, setAnnouncement] = useState('')
  const note = (ids: string[]) => {
    setAnnouncement(ids.length === 1 ? '1 new item' : `${ids.length} new items`)
    const scroller = listPane.current?.querySelector('[data-inbox-list]')
    if (scroller && scroller.scrollTop >= 1) setArrivedIds((known) => new Set([...known, ...ids]))
  }
  const forget = useCallback(() => setArrivedIds((known) => (known.size === 0 ? known : new Set())), [])
  const count = (items: readonly FeedbackListItem[]) =>
    arrivedIds.size === 0 ? 0 : items.filter(({ id }) => arrivedIds.has(id)).length
  return { announcement, note, forget, count }
}
