import { focusLate } from './focus-late.ts'

/** Puts the cursor where a reply or a note is written, as soon as the opened item shows it. */
export function focusComposer(kind: 'reply' | 'note'): void {
  focusLate(
    () => document.querySelector<HTMLElement>(`[data-composer="${kind}"]`),
    // A switch between the two shows the field when pressed.
    (element) => (element.matches('button') ? element.click() : element.focus()),
  )
}
