import { keepSize, readComputed } from './computed.ts'
import { writeAttributes } from './element.ts'
import { escapeXml } from './escape-xml.ts'
import { force } from './force.ts'
import { loadRare, rare } from './load-rare.ts'
import { isMasked } from './masks.ts'
import { isLate } from './pause.ts'
import { readPixels, replaced } from './pixels.ts'
import type { Scene } from './scene.ts'
import type { Scroll } from './scroll.ts'
import { blank } from './shot.ts'

/** Not rendered, but counted by selectors: they stay as empty elements. */
const silent = /^(script|style|link|template|noscript|head)$/

/** Elements drawn by `rare.ts`; in Firefox more than in others. */
const drawn = `meter,progress,input:is([type=radio],[type=checkbox]${
  'mozInnerScreenX' in window ? ',[type=range],[type=time],[type^=date]' : ''
})`

/** A node by the properties that any kind of it has; of another kind they are undefined. */
type AnyNode = HTMLInputElement & HTMLImageElement & HTMLSlotElement & Text

/** Yields a promise where the writing waits for something, else where it may pause. */
type Writing = Generator<Promise<unknown> | undefined>

/** Whether `rare.ts` draws an element. Pages that draw a control themselves take its appearance away. */
const isDrawn = (element: AnyNode) => element.matches(drawn) && readComputed(element).appearance !== 'none'

/** Whether an element has a `backdrop-filter` of its own, or by a sheet of its shadow root. */
const hasGlass = (element: AnyNode, isFrozen: boolean) =>
  /\(/.test((isFrozen ? readComputed(element) : element.style)?.backdropFilter)

/** Nothing tells of a closed shadow root but a custom element without contents that takes up space. */
const isClosed = ({ localName, shadowRoot, firstChild, offsetHeight }: AnyNode) =>
  /-/.test(localName) && !shadowRoot && !firstChild && !!offsetHeight && !!customElements.get(localName)

const openTag = (name: string, attributes: string, style: string) =>
  `<${name}${attributes}${style && ` style="${escapeXml(style)}"`}>`

/** A text in its place, masked or not. Masked text keeps its number of letters, so that lines break as they did. */
function writeText(node: Text, isHidden: boolean, scroll: Scroll | undefined, lit: Scene['lit']): string {
  const { data } = node
  const text = isHidden ? escapeXml(data.replace(/\S/g, 'x')) : (lit?.get(node) ?? escapeXml(data))
  return scroll && text.trim() ? (rare?.shiftText(text, scroll) ?? text) : text
}

/**
 * Writes a document as XML, as it is now: shadow roots flat and independent of style sheets, typed values as
 * attributes, scrolled boxes scrolled. Reads only, and reads the tree itself rather than a clone, because cloning runs
 * the page's custom elements and loads its images again. Yields when it takes long, or what it waits for. Rules for pseudo-elements are added
 * to the styles.
 */
export function* writeTree(scene: Scene, xml: string[]): Writing {
  const { document, host, mask, missing, styles, lit, hold, rewrite, note, addRule } = scene
  const topLayer = new Set<Element>()

  const findTopLayer = (tree: Document | ShadowRoot) => {
    for (const element of tree.querySelectorAll(':is(:modal,:popover-open,:fullscreen)')) topLayer.add(element)
    topLayer.delete(host)
  }
  function* write(element: AnyNode, isFrozen: boolean, isHidden: boolean, scroll?: Scroll): Writing {
    if (element.nodeType === 3) xml.push(writeText(element, isHidden, scroll, lit))
    if (element.nodeType !== 1 || element === host) return
    if (isLate()) yield undefined
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
    if (isClosed(element)) missing.add('parts')
    let attributes = namespaceURI === (element.parentNode as Element).namespaceURI ? '' : ` xmlns="${namespaceURI}"` // The tree starts below the document: each element has a parent.
    const noted = note(element)
    let { css } = noted
    if (scroll) css += rare?.shiftChild(element, scroll) ?? ''
    // Cells paint the background of a row, so they stay.
    if (isHidden && !/^t/.test(name)) css += 'visibility:hidden;'
    else if (isHidden || isMasked(element, mask)) {
      isHidden = true
      css += 'background:#000;color:#000;-webkit-text-fill-color:#000;'
    }
    const isImage = isHtml && (name === 'img' || type === 'image')
    const isControl = isHtml && !isHidden && isDrawn(element)
    const isScrolled = (element.scrollTop || element.scrollLeft) && element !== document.scrollingElement
    const isScrolledText = !!isScrolled && localName === 'textarea' // In a picture, it would show its beginning.
    const isOther = isHtml && replaced.test(name)
    const isOdd = !isHidden && (styles.odd.has(element) || hasGlass(element, isFrozen))
    if ((isFrozen || isControl || isOther || isOdd || isScrolled) && !rare) yield loadRare()
    const control = isControl ? rare?.drawControl(element as never, hold) : undefined // One of the drawn elements.
    const isReplaced = isOther || control?.isImage
    if (isImage) css += keepSize(element)
    if (isImage || isReplaced)
      attributes += ` src="${isHidden ? blank : control ? control.address : readPixels(element, name, scene)}"`
    if (isReplaced) name = 'img'
    else attributes += writeAttributes(element, isHidden, hold)
    if (isScrolledText) name = '_'
    const inner = isScrolled ? rare?.readScroll(element, isScrolledText, addRule) : undefined
    if (isOdd) css += rare?.writeBackground(element, noted, !!inner?.isFlow, scene) ?? ''
    if (control) css += control.css
    const isAlone = isFrozen || isReplaced || isScrolledText
    const own = (isAlone && rare?.freeze(element, scene)) || `${element.getAttribute('style') ?? ''};`
    if (isFrozen) noted.marks += 'f '
    if (isFrozen && !isHidden) rare?.freezePseudos(element, scene)
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
        xml.push(openTag('_', '', rewrite(rare?.freeze(each, scene, '::backdrop') ?? '')), '</_>')
        yield* write(each as AnyNode, true, false) // Reads properties by kind; those that a node lacks are undefined.
      }
    }
    xml.push(`</${name}>`)
  }

  findTopLayer(document)
  if (topLayer.size && !rare) yield loadRare()
  // Images know no quirks mode: there, elements keep what the browser has computed.
  yield* write(document.documentElement as AnyNode, document.compatMode === 'BackCompat', false) // Reads properties by kind; those that a node lacks are undefined.
}
