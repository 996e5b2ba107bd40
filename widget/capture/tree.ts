import { writeFixed } from './background.ts'
import { hasContent, readComputed } from './computed.ts'
import { writeAttributes } from './element.ts'
import { escapeXml } from './escape-xml.ts'
import { force } from './freeze.ts'
import { isMasked } from './masks.ts'
import { isLate } from './pause.ts'
import { readPixels, replaced } from './pixels.ts'
import type { Scene } from './scene.ts'
import { readScroll, type Scroll, shiftChild } from './scroll.ts'
import { blank } from './shot.ts'

/** Not rendered, but counted by selectors: they stay as empty elements. */
const silent = /^(script|style|link|template|noscript|head)$/
const isGecko = 'mozInnerScreenX' in globalThis

/** A node by the properties that any kind of it has; of another kind they are undefined. */
type AnyNode = HTMLInputElement & HTMLImageElement & HTMLSlotElement & Text

const openTag = (name: string, attributes: string, style: string) =>
  `<${name}${attributes}${style && ` style="${escapeXml(style)}"`}>`

/** A text in its place, masked or not. Masked text keeps its number of letters, so that lines break as they did. */
function writeText(data: string, isHidden: boolean, scroll: Scroll | undefined): string {
  const text = escapeXml(isHidden ? data.replace(/\S/g, 'x') : data)
  if (!scroll || !text.trim()) return text
  const top = scroll.isFlow ? 0 : -scroll.top
  return `${openTag('_', '', `all:unset;position:relative;left:${-scroll.left}px;top:${top}px`)}${text}</_>`
}

/**
 * Writes a document as XML, as it is now: shadow roots flat and independent of style sheets, typed values as
 * attributes, scrolled boxes scrolled. Reads only, and reads the tree itself rather than a clone, because cloning runs
 * the page's custom elements and loads its images again. Yields when it takes long. Rules for pseudo-elements are added
 * to the styles.
 */
export function* writeTree(scene: Scene, xml: string[]): Generator<void> {
  const { document, host, mask, whole, styles, freeze, hold, rewrite, note, addRule } = scene
  const topLayer = new Set<Element>()

  const findTopLayer = (tree: Document | ShadowRoot) => {
    for (const element of tree.querySelectorAll(':is(:modal,:popover-open,:fullscreen)')) {
      if (element !== host) topLayer.add(element)
    }
  }
  function* write(element: AnyNode, isFrozen: boolean, isHidden: boolean, scroll?: Scroll): Generator<void> {
    if (element.nodeType === 3) xml.push(writeText(element.data, isHidden, scroll))
    if (element.nodeType !== 1 || element === host) return
    if (isLate()) yield
    const { namespaceURI, shadowRoot, localName, type } = element
    let name = localName.replace(/[^\w.-]/g, '_')
    if (silent.test(name) || topLayer.has(element)) {
      // An element masked here stays masked in the top layer.
      if (isHidden) topLayer.delete(element)
      xml.push(openTag(name, '', 'display:none!important'), `</${name}>`)
      return
    }
    if (shadowRoot) {
      findTopLayer(shadowRoot)
      isFrozen = true
    }
    const isHtml = !/svg$/.test(namespaceURI ?? '')
    let attributes = namespaceURI === (element.parentNode as Element).namespaceURI ? '' : ` xmlns="${namespaceURI}"` // The tree starts below the document: each element has a parent.
    const noted = note(element)
    let { css } = noted
    if (scroll) css += shiftChild(element, scroll)
    // Cells paint the background of a row, so they stay.
    if (isHidden && !/^t/.test(name)) css += 'visibility:hidden;'
    else if (isHidden || isMasked(element, mask)) {
      isHidden = true
      css += 'background:#000;color:#000;-webkit-text-fill-color:#000;'
    }
    const isImage = isHtml && (name === 'img' || type === 'image')
    const isReplaced = isHtml && replaced.test(name)
    // A scrolled text area of the picture would show its beginning.
    const isScrolledText = localName === 'textarea' && !!element.scrollTop
    if (isImage) {
      const { width, height } = readComputed(element)
      css += `width:${width};height:${height};`
    }
    if (isImage || isReplaced) attributes += ` src="${isHidden ? blank : readPixels(element, name, scene)}"`
    if (isReplaced) name = 'img'
    else attributes += writeAttributes(element, isHidden, hold)
    if (isScrolledText) name = '_'
    const inner = readScroll(element, isScrolledText, addRule)
    if (isGecko && !isHidden && !/background:/.test(noted.css) && styles.fixed.has(element)) {
      css += writeFixed(element, whole, addRule)
    }
    const own = isFrozen || isReplaced || isScrolledText ? freeze(element) : `${element.getAttribute('style') ?? ''};`
    if (isFrozen) {
      noted.marks += 'f '
      for (const pseudo of ['::before', '::after']) {
        if (!isHidden && hasContent(element, pseudo)) addRule(element, pseudo, freeze(element, pseudo))
      }
    }
    if (noted.marks) attributes += ` _e="${noted.marks}"`
    xml.push(openTag(name, attributes, own + css === ';' ? '' : rewrite(own) + force(css)))
    const slotted = isFrozen && localName === 'slot' ? element.assignedNodes() : []
    const children = slotted[0] ? slotted : (shadowRoot ?? element).childNodes
    for (const child of isReplaced ? [] : localName === 'textarea' ? [new Text(element.value)] : children) {
      yield* write(child as AnyNode, isFrozen, isHidden, inner) // Reads properties by kind; those that a node lacks are undefined.
    }
    if (element === document.documentElement) {
      for (const each of topLayer) {
        topLayer.delete(each)
        xml.push(openTag('_', '', rewrite(freeze(each, '::backdrop'))), '</_>')
        yield* write(each as AnyNode, true, false) // Reads properties by kind; those that a node lacks are undefined.
      }
    }
    xml.push(`</${name}>`)
  }

  findTopLayer(document)
  yield* write(document.documentElement as AnyNode, false, false) // Reads properties by kind; those that a node lacks are undefined.
}
