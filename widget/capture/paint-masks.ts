import { isMasked } from './masks.ts'

/** Blackens masked elements in a picture of the visible area, in frames and shadow roots too. */
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
