/**
 * Keeps the host element visible and usable: in the top layer, back on the page when the page's own code removed it
 * (a hydration that failed, a swapped body), and inside the page's open modal dialog, because everything outside of
 * that is inert and painted beneath it.
 *
 * It lives beside the body, not in it, so that body swaps and `aria-hidden` on the body's children do not reach it.
 */
export function keepOnTop(host: HTMLElement, signal: AbortSignal): void {
  host.popover = 'manual'

  const place = () => {
    const modals = document.querySelectorAll('dialog:modal')
    const parent = modals[modals.length - 1] ?? document.documentElement
    if (host.parentNode === parent) return
    // Moving drops focus and takes the element out of the top layer; both are put back.
    const focused = host.shadowRoot?.activeElement as HTMLElement | null | undefined
    parent.append(host)
    host.showPopover?.()
    focused?.focus({ preventScroll: true })
    watch()
  }

  // Watching only the `open` attribute and our own parents keeps this free on pages that change all the time. Inside a
  // dialog every removal is watched, since any ancestor may go.
  const observer = new MutationObserver(place)
  const watch = () => {
    observer.disconnect()
    const inDialog = host.parentNode !== document.documentElement
    observer.observe(document.documentElement, { childList: true, subtree: inDialog })
    openings.observe(document.documentElement, { subtree: true, attributes: true, attributeFilter: ['open'] })
  }
  const openings = new MutationObserver(place)

  place()
  signal.addEventListener('abort', () => {
    observer.disconnect()
    openings.disconnect()
    host.remove()
  })
}
