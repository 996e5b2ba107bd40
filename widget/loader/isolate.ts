import { host } from './launcher.ts'
import { listen } from './listen.ts'
import type { Stage } from './stage.ts'

/**
 * Hides what happens inside the shadow root from the page, and so the page's shortcuts, focus traps and click-outside
 * handlers from the visitor. Outside of the root the browser names the host element as target, so a page that exempts
 * text fields from its shortcuts does not recognise ours.
 *
 * Keys and focus are stopped on the window before any listener that the page adds later; `stage.onKey` gets the keys, as
 * they never arrive inside. The browser's own doing (typing, tabbing, submitting) is untouched. What only the panel can
 * cause (pasting, dropping, scrolling) is added by it.
 */
export function isolateEvents(stage: Stage): void {
  listen(window, 'keydown keyup keypress focusin focusout', (event: KeyboardEvent & FocusEvent) => {
    if (event.target === host || event.relatedTarget === host) {
      event.stopImmediatePropagation()
      if (event.type === 'keydown') stage.onKey?.(event)
    }
  })
  listen(host, 'pointerdown mousedown touchstart click', (event) => event.stopPropagation(), false)
}
