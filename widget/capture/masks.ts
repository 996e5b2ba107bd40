/** Names by which pages call fields for card numbers, their codes, and passwords shown as text. */
const secret = /(card|cc)[-_ ]?(no|num|code)|cc-|cv[cv2]|csc\b|security[-_ ]?code|passw|iban/i

/**
 * Whether an element's content must not be in a picture: password and payment fields, what the page has marked, and
 * what the project's settings name. A selector that this browser does not know counts for nothing.
 */
export function isMasked(element: Element, selectors: readonly string[]): boolean {
  const { type, autocomplete, name, id, localName } = element as HTMLInputElement
  if (/^(input|select|textarea)$/.test(localName) && secret.test([type, autocomplete, name, id].join())) return true
  return ['[data-earshot-mask]', ...selectors].some((selector) => {
    try {
      return element.matches(selector)
    } catch {
      return false
    }
  })
}

/** Blackens all that is masked on a picture of what is in sight, in frames and shadow roots too. */
export function paintMasks(
  context: CanvasRenderingContext2D,
  selectors: readonly string[],
  tree: Document | ShadowRoot = document,
  left = 0,
  top = 0,
): void {
  for (const element of tree.querySelectorAll<HTMLIFrameElement>('*')) {
    const { shadowRoot, contentDocument } = element
    if (isMasked(element, selectors)) {
      const contents = element.ownerDocument.createRange()
      contents.selectNodeContents(element)
      for (const { x, y, width, height } of [...element.getClientRects(), ...contents.getClientRects()]) {
        context.fillRect(x + left, y + top, width, height)
      }
    }
    if (shadowRoot) paintMasks(context, selectors, shadowRoot, left, top)
    if (contentDocument) {
      const { x, y } = element.getBoundingClientRect()
      paintMasks(context, selectors, contentDocument, left + x + element.clientLeft, top + y + element.clientTop)
    }
  }
}
