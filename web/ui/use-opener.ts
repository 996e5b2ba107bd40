import { useState } from 'react'

/**
 * Gives the focus back to what had it when a window opened. Radix does so for triggers of its own alone, and most windows
 * are opened by a state.
 *
 * @returns what to do as the window has closed
 */
export function useOpener(open: boolean): (event: Event) => void {
  const [wasOpen, setWasOpen] = useState(open)
  const [opener, setOpener] = useState(() => (open ? document.activeElement : null))
  // Read as it opens: once the window is drawn, the focus is in it.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpener(document.activeElement)
  }
  return (event) => {
    if (!(opener instanceof HTMLElement) || !opener.isConnected || opener === document.body) return
    event.preventDefault()
    // Focus may have moved elsewhere after closing.
    if (document.activeElement === null || document.activeElement === document.body) opener.focus()
  }
}
