const keyEvents = ['keydown', 'keyup', 'keypress']
const focusEvents = ['focusin', 'focusout']
const otherEvents = ['pointerdown', 'mousedown', 'touchstart', 'click', 'input', 'copy', 'cut', 'paste', 'wheel']

/**
 * Hides what happens inside the shadow root from the page, and so the page's shortcuts, focus traps and
 * click-outside handlers from the visitor. Outside of the root the browser names the host element as target, so a page
 * that exempts text fields from its shortcuts does not recognise ours.
 *
 * Keys and focus are stopped on the window before any other listener of the page that was added later; `onKey` gets
 * the keys, as they never arrive inside. The browser's own doing (typing, tabbing, submitting) is untouched.
 */
export function isolateEvents(host: HTMLElement, onKey: (event: KeyboardEvent) => void, signal: AbortSignal): void {
  for (const type of keyEvents) {
    window.addEventListener(
      type,
      (event) => {
        if (event.target !== host) return
        event.stopImmediatePropagation()
        if (type === 'keydown') onKey(event as KeyboardEvent)
      },
      { capture: true, signal },
    )
  }
  for (const type of focusEvents) {
    window.addEventListener(
      type,
      (event) => {
        if (event.target === host || (event as FocusEvent).relatedTarget === host) event.stopImmediatePropagation()
      },
      { capture: true, signal },
    )
  }
  for (const type of otherEvents) {
    host.addEventListener(type, (event) => event.stopPropagation(), { passive: true, signal })
  }
}
