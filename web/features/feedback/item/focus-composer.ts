const patienceMs = 10_000

/** Puts the cursor where a reply or a note is written, as soon as the opened item shows it. */
export function focusComposer(kind: 'reply' | 'note'): void {
  const startedAt = performance.now()
  // Another action in the meantime cancels this.
  const elsewhere = new AbortController()
  for (const name of ['keydown', 'pointerdown']) {
    // Not the very key that asked for it.
    setTimeout(() => window.addEventListener(name, () => elsewhere.abort(), { once: true, signal: elsewhere.signal }))
  }
  const look = () => {
    if (elsewhere.signal.aborted) return
    const element = document.querySelector<HTMLElement>(`[data-composer="${kind}"]`)
    if (element) {
      elsewhere.abort()
      // A switch between the two shows the field when pressed.
      if (element.matches('button')) element.click()
      else element.focus()
      element.scrollIntoView({ block: 'nearest' })
    } else if (performance.now() - startedAt < patienceMs) requestAnimationFrame(look)
    else elsewhere.abort()
  }
  look()
}
