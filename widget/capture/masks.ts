/** Names by which pages call fields for card numbers, their codes, and passwords shown as text. */
const secret = /(card|cc).?(no|num|code)|cc-|cv[cv2]|csc\b|security.?code|passw|iban/i

/**
 * Whether an element is masked: password and payment fields, elements marked by the page, and elements that match the
 * project's selectors. Selectors unknown to this browser are ignored.
 */
export function isMasked(element: Element, selectors: readonly string[]): boolean {
  // Elements without these properties give undefined.
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
