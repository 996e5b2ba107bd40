import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'
import type { RowPlaces } from './row-places.ts'

/** Rows drawn above and below those in view, so that scrolling meets drawn ones. */
const rowsAround = 4

interface Range {
  readonly first: number
  /** Not of the range any more. */
  readonly end: number
}

interface Rows {
  /** Indexes of the rows to draw. */
  readonly drawn: readonly number[]
  /** Scrolls as little as brings a row into view. */
  readonly bringIntoView: (index: number) => void
}

/** Which rows of a list stand in its scroller's view. All rows have the same height: none has to be measured. */
export function useRowsInView(scroller: RefObject<HTMLElement | null>, places: RowPlaces): Rows {
  const { count, rowHeight } = places
  const [range, setRange] = useState<Range>({ first: 0, end: 0 })
  const look = useCallback(() => {
    const element = scroller.current
    // Hidden, as the list is behind an open item on a phone: the same rows are in view afterwards.
    if (!element || element.clientHeight === 0) return
    const first = Math.max(0, places.findRow(element.scrollTop) - rowsAround)
    const end = places.findRow(element.scrollTop + element.clientHeight) + 1 + rowsAround
    setRange((before) => (before.first === first && before.end === end ? before : { first, end }))
  }, [scroller, places])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    look()
    element.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [scroller, look])

  const bringIntoView = (index: number) => {
    const element = scroller.current
    if (!element) return
    const top = places.topOf(index)
    // Not under the heading that stands at the top.
    if (top - places.headingHeight < element.scrollTop) element.scrollTop = top - places.headingHeight
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight
    }
    look()
  }
  const last = Math.min(range.end, count)
  const drawn = Array.from({ length: Math.max(0, last - range.first) }, (_, row) => range.first + row)
  return { drawn, bringIntoView }
}
