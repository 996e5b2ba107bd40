const captured = ['keydown', 'keyup', 'keypress', 'focusin', 'focusout']
const bubbling = ['pointerdown', 'mousedown', 'touchstart', 'click', 'input', 'copy', 'cut', 'paste', 'wheel']

/**
 * Hides what happens inside the shadow root from the page, and so the page's shortcuts, focus traps and
 * click-outside handlers from the visitor. Outside of the root the browser names the host element as target, so a page
 * that exempts text fields from its shortcuts does not recognise ours.
 *
 * Keys and focus are stopped on the window before any listener that the page adds later; `onKey` gets the keys, as they
 * never arrive inside. The browser's own doing (typing, tabbing, submitting) is untouched.
 */
export function isolateEvents(host: HTMLElement, onKey: (event: KeyboardEvent) => void, signal: AbortSignal): void {
  for (const type of captured) {
    window.addEventListener(
      type,
      (event) => {
        if (event.target !== host && (event as FocusEvent).relatedTarget !== host) return
        event.stopImmediatePropagation()
        if (type === 'keydown') onKey(event as KeyboardEvent)
      },
      { capture: true, signal },
    )
  }
  for (const type of bubbling) {
    host.addEventListener(type, (event) => event.stopPropagation(), { passive: true, signal })
  }
}
