/** Names by which pages call fields for card numbers, their codes, and passwords shown as text. */
const secret = /(card|cc).?(no|num|code)|cc-|cv[cv2]|csc\b|security.?code|passw|iban/i

/**
 * Whether an element's content must not be in a picture: password and payment fields, what the page has marked, and
 * what the project's settings name. A selector that this browser does not know counts for nothing.
 */
export function isMasked(element: Element, selectors: readonly string[]): boolean {
  const { type, autocomplete, name, id } = element as HTMLInputElement
  return (
    (autocomplete != null && secret.test([type, autocomplete, name, id].join())) ||
    ['[data-earshot-mask]', ...selectors].some((selector) => {
      try {
        return element.matches(selector)
      } catch {
        return false
      }
    })
  )
}
