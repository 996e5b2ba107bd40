const patienceMs = 10_000

/**
 * Focuses an element as soon as the opened item shows it.
 *
 * @param find the element; undefined: it is not there yet
 * @param focus how it gets the focus
 */
export function focusLate(
  find: () => HTMLElement | null | undefined,
  focus = (element: HTMLElement) => element.focus(),
): void {
  const startedAt = performance.now()
  // Another action in the meantime cancels this.
  const elsewhere = new AbortController()
  for (const name of ['keydown', 'pointerdown']) {
    // Not the very key that asked for it.
    setTimeout(() => window.addEventListener(name, () => elsewhere.abort(), { once: true, signal: elsewhere.signal }))
  }
  const look = () => {
    if (elsewhere.signal.aborted) return
    const element = find()
    if (element) {
      elsewhere.abort()
      focus(element)
      element.scrollIntoView({ block: 'nearest' })
    } else if (performance.now() - startedAt < patienceMs) requestAnimationFrame(look)
    else elsewhere.abort()
  }
  look()
}
