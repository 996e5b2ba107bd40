/**
 * Keeps the host element visible and usable: in the top layer, back on the page when the page's own code removed it
 * (a hydration that failed, a swapped body), and inside the page's open modal dialog, because everything outside of
 * that is inert and painted beneath it.
 *
 * It lives beside the body, not in it, so that body swaps and `aria-hidden` on the body's children do not reach it.
 */
export function keepOnTop(host: HTMLElement, signal: AbortSignal): void {
  host.popover = 'manual'

  const root = document.documentElement
  // Browsers without popovers partly lack :modal too.
  const openDialogs = 'showPopover' in host ? 'dialog:modal' : 'dialog[open]'
  const place = () => {
    const modals = document.querySelectorAll(openDialogs)
    const parent = modals[modals.length - 1] ?? root
    if (host.parentNode === parent || signal.aborted) return
    // Moving drops focus and takes the element out of the top layer; both are put back.
    const focused = host.shadowRoot?.activeElement as HTMLElement | null | undefined
    parent.append(host)
    host.showPopover?.()
    focused?.focus({ preventScroll: true })
    watch()
  }

  // Watching only the `open` attribute and our own parent keeps this free on pages that change all the time. Inside a
  // dialog every removal is watched, since any ancestor may go. It reacts with a delay: a page that removes us again and
  // again would otherwise never get on with anything else.
  const observer = new MutationObserver(() => setTimeout(place))
  const watch = () => {
    observer.disconnect()
    observer.observe(document, { subtree: true, attributeFilter: ['open'] })
    observer.observe(root, { childList: true, subtree: host.parentNode !== root })
  }

  place()
  signal.addEventListener('abort', () => {
    observer.disconnect()
    host.remove()
  })
}
