import { host } from './launcher.ts'
import { listen } from './listen.ts'
import type { Stage } from './stage.ts'

/**
 * Hides what happens inside the shadow root from the page, and so the page's shortcuts, focus traps and click-outside
 * handlers from the visitor. Outside of the root the browser names the host element as target, so a page that exempts
 * text fields from its shortcuts does not recognise ours.
 *
 * Events are stopped on the window, on their way down, before any listener that the page adds later: focus traps and
 * modal dialogs of libraries listen on the document on the way down. Our own listeners would not hear them either, so
 * `stage.onEvent` gets each. The browser's own doing (typing, tabbing, submitting) is untouched. The ends of presses are
 * left to the page, which may have begun them. What only the panel can cause (pasting, dropping, scrolling) is added by it.
 *
 * An event inside a modal element of the page shows where the host element has to be: an opened dialog takes the focus,
 * and the element that fills the screen is under the pointer.
 */
export function isolateEvents(stage: Stage): void {
  listen(
    window,
    'keydown keyup keypress focus focusin focusout pointerover pointerdown mousedown touchstart click',
    (event: Event & FocusEvent) => {
      const path = event.composedPath()
      // Focus that comes to us must not be missed by the page's fields, but a trap that hears it leave would pull it back.
      if (path.includes(host) || (event.type === 'focusout' && event.relatedTarget === host)) stage.onEvent(event)
      else {
        // The window and documents have no `matches`. What matches is an element; a video or a canvas would not show us.
        const modal = path.find((node) => (node as Element).matches?.(':modal:not(video,canvas)')) as
          | Element
          | undefined
        if (modal) stage.place(modal)
      }
    },
  )
}
