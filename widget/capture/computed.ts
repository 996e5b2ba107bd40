/** Computed styles by the element's own window: a frame's media queries and units are the frame's. */
export const readComputed = (element: Element, pseudo?: string | null): CSSStyleDeclaration =>
  // Only elements in a window are drawn.
  (element.ownerDocument.defaultView as Window).getComputedStyle(element, pseudo)

/** Whether a pseudo-element is generated. */
export const hasContent = (element: Element, pseudo: string): boolean =>
  !/^no/.test(readComputed(element, pseudo).content)
