import { host } from './launcher.ts'
import { onEnd } from './listen.ts'
import type { Stage } from './stage.ts'

/**
 * Keeps the host element visible and usable: in the top layer, back on the page when the page's own code removed it
 * (a hydration that failed, a swapped body), and inside the page's open modal dialog, because everything outside of
 * that is inert and painted beneath it. Adds `place` to the stage.
 *
 * It lives beside the body, not in it, so that body swaps and `aria-hidden` on the body's children do not reach it.
 */
export function keepOnTop(stage: Stage): void {
  const root = document.documentElement
  stage.place = () => {
    const parent = stage.findParent?.() ?? [...document.querySelectorAll('dialog:modal')].pop() ?? root
    if (host.parentNode === parent) return
    parent.append(host)
    // Moving takes it out of the top layer.
    if (host.popover) host.showPopover?.()
    // Watching only the `open` attribute and our own parent keeps this free on pages that change all the time. Where
    // we are deeper every removal is watched, since any ancestor may go.
    observer.observe(document, { subtree: true, attributeFilter: ['open'] })
    observer.observe(root, { childList: true, subtree: parent !== root })
  }
  // Deferred, since a page that removes the host again and again would otherwise be blocked.
  const observer = new MutationObserver(() => setTimeout(() => stage.place()))

  host.popover = 'manual'
  onEnd(() => {
    stage.place = () => {}
    host.remove()
  })
}
