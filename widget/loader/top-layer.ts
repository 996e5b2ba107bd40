import { host } from './launcher.ts'
import { onEnd } from './listen.ts'
import type { Stage } from './stage.ts'

/**
 * Keeps the host element visible and usable: in the top layer, back on the page when the page's own code removed it
 * (a hydration that failed, a swapped body), and inside the page's open modal dialog or the element that fills the
 * screen, because everything outside of that is inert and painted beneath it. Adds `place` to the stage.
 *
 * It lives beside the body, not in it, so that body swaps and `aria-hidden` on the body's children do not reach it.
 */
export function keepOnTop(stage: Stage): void {
  stage.place = (
    // Events inside an opened dialog tell of it (see `isolateEvents`); this finds one that was open before.
    parent = host.offsetWidth ? host.parentNode : (document.querySelector('dialog:modal') ?? document.documentElement),
  ) => {
    if (host.parentNode === parent) return
    parent?.append(host)
    // Moving takes it out of the top layer.
    if (host.popover) host.showPopover?.()
    // A dialog that is gone within the frame in which it opened changes no size. Read then: after the end it does nothing.
    setTimeout(() => stage.place(), 99)
  }

  host.popover = 'manual'
  // Its pixel of width is lost when it, its dialog or anything around them is removed or closed, in shadow roots too.
  // Costs nothing on pages that change all the time. Deferred, since a page that removes the host again and again would
  // otherwise be blocked.
  new ResizeObserver(() => setTimeout(() => stage.place())).observe(host)
  onEnd(() => {
    stage.place = () => {}
    host.remove()
  })
}
