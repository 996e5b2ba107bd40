import { asObject, asText, type Loose } from './read-events.ts'

/*
 * Which elements and attributes of a recorded page are made again: only harmless ones. The recording is untrusted, and may
 * not come from a browser at all.
 */

const svgNamespace = 'http://www.w3.org/2000/svg'

/** Invisible, and dangerous or noisy when made; an inert link without an address replaces them. */
const silent = /^(script|noscript|style|link|meta|base|title|template|animate\w*|set)$/i
/** Would load another document; a grey box of the same size replaces them. */
const foreign = /^(iframe|frame|frameset|object|embed|applet|portal|fencedframe|webview|param)$/i

const addresses = /^(src|srcset|href|xlink:href|poster|background|data|action|formaction|cite|longdesc|lowsrc|dynsrc)$/i
/** Would act by themselves, lead away, or reach beyond the frame. */
const acting =
  /^(on.*|srcdoc|ping|target|http-equiv|autofocus|autoplay|accesskey|nonce|is|xmlns.*|xml:.*|rr_.*|_.*|manifest|download|attributionsrc|usemap|form)$/i

export const isStyleSheet = (tag: string): boolean => /^(style|link)$/i.test(tag)

/**
 * Whether an address may stand in the frame: pictures inside of the recording and places in the same page always, the
 * web only where the visitor looks at their own page.
 */
function isSafeAddress(address: string, external: boolean): boolean {
  return /^(#|data:image\/(?!svg))/i.test(address) || (external && /^https?:\/\//i.test(address))
}

/** Makes an element, without attributes and children. */
export function createElement(page: Document, tag: string, isSvg: boolean): Element {
  try {
    if (silent.test(tag)) return page.createElement('link')
    if (foreign.test(tag)) return createBox(page)
    if (isSvg) return page.createElementNS(svgNamespace, tag)
    const element = page.createElement(tag)
    return element
  } catch {
    // Not a name for an element.
    return page.createElement('div')
  }
}

function createBox(page: Document): HTMLElement {
  const box = page.createElement('div')
  box.style.cssText = 'display:inline-block;box-sizing:border-box;background:#8883;border:1px solid #8886'
  return box
}

/**
 * Sets an attribute as recorded, or leaves it out.
 * @param value text, true, a number, an object of changed styles; null or false: removed
 */
export function setAttribute(element: Element, name: string, value: unknown, external: boolean): void {
  try {
    if (element.localName === 'link' || acting.test(name)) return
    // SVG elements have a style too.
    const { style } = element as HTMLElement
    if (name === 'style') {
      // Narrowed to an object; each property is unknown.
      if (typeof value === 'object' && value) changeStyle(style, value as Loose)
      else style.cssText = asText(value)
      return
    }
    if (value === null || value === undefined || value === false) {
      element.removeAttribute(name)
      return
    }
    const text = value === true ? '' : `${value}`
    if (addresses.test(name)) {
      // A link without an address would lose its colour; this one leads to the frame itself.
      if (element.localName === 'a') element.setAttribute('href', 'about:srcdoc#')
      else if (name === 'srcset' || !isSafeAddress(text, external)) element.removeAttribute(name)
      else element.setAttribute(name, text)
      return
    }
    element.setAttribute(name, text)
    if (name === 'value' || name === 'checked') setInput(element, { text, isChecked: name === 'checked' })
  } catch {
    // A name or value that this browser does not take.
  }
}

function changeStyle(style: CSSStyleDeclaration, changes: Loose): void {
  for (const [property, change] of Object.entries(changes)) {
    if (change === false) style.removeProperty(property)
    else if (Array.isArray(change)) style.setProperty(property, asText(change[0]), asText(change[1]))
    else style.setProperty(property, asText(change))
  }
}

/** Sets the value of a form field. */
export function setInput(element: Element, data: unknown): void {
  const { text, isChecked } = asObject(data)
  // Recorded of inputs, selects and text areas; each property is checked below.
  const field = element as HTMLInputElement
  try {
    if (/^(checkbox|radio)$/.test(field.type)) field.checked = isChecked === true
    else if ('value' in field) field.value = asText(text)
  } catch {
    // The value of a file input cannot be set.
  }
}
