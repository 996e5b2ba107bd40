import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Scrolls a row of links sideways until the current one (`aria-current="page"`) is in its middle, or as near as the row
 * allows. The row is positioned, as every scroller is.
 *
 * @param state changes when another link becomes current, or the links change their places
 */
export function useCurrentInView<Row extends HTMLElement>(state: unknown): RefObject<Row | null> {
  const ref = useRef<Row>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state only says when to look again.
  useLayoutEffect(() => {
    const row = ref.current
    const link = row?.querySelector<HTMLElement>('[aria-current="page"]')
    // Not scrollIntoView: it would scroll the document as well.
    if (row && link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2
  }, [state])
  return ref
}
