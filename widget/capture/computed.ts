/** Computed styles by the element's own window: a frame's media queries and units are the frame's. */
export const readComputed = (element: Element, pseudo?: string | null): CSSStyleDeclaration =>
  // Only elements in a window are drawn.
  (element.ownerDocument.defaultView as Window).getComputedStyle(element, pseudo)

/** Whether a pseudo-element is generated. */
export const hasContent = (element: Element, pseudo: string): boolean =>
  !/^no/.test(readComputed(element, pseudo).content)

/** Whether a color scheme, as computed for an element of the document, is a dark one now. */
export const isDarkScheme = ({ defaultView }: Document, scheme: string): boolean =>
  /dark/.test(scheme) && (!/light/.test(scheme) || !!defaultView?.matchMedia('(prefers-color-scheme:dark)').matches)

/** Declarations of the present size, for an element whose insides will be others. */
export function keepSize(element: Element): string {
  const { width, height } = readComputed(element)
  return `width:${width};height:${height};`
}
