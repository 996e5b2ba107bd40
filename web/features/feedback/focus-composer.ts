const patienceMs = 3000

/** Puts the cursor where a reply or a note is written, as soon as the opened item shows it. */
export function focusComposer(kind: 'reply' | 'note'): void {
  const startedAt = performance.now()
  const look = () => {
    const element = document.querySelector<HTMLElement>(`[data-composer="${kind}"]`)
    if (element) {
      // A switch between the two shows the field when pressed.
      if (element.matches('button')) element.click()
      else element.focus()
      element.scrollIntoView({ block: 'nearest' })
    } else if (performance.now() - startedAt < patienceMs) requestAnimationFrame(look)
  }
  look()
}
