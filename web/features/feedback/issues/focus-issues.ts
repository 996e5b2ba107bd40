import { focusLate } from '../item/focus-late.ts'

/** Focuses what creates an issue of the opened item, or else its first issue, as soon as they are shown. */
export function focusIssues(): void {
  focusLate(() => {
    const issues = document.querySelector('[data-issues]')
    return issues?.querySelector<HTMLElement>('[data-add-issue]') ?? issues?.querySelector<HTMLElement>('a, button')
  })
}
