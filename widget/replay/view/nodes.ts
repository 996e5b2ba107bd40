import { createElement, isStyleSheet, setAttribute, setInput } from './elements.ts'
import { asList, asNumber, asObject, asText, type Loose } from './read-events.ts'
import type { StyleSheets } from './style-sheets.ts'

/** Deeper than any page; ends a recording that was made to exhaust the stack. */
const maxDepth = 400
const maxNodes = 120_000

type FrameWindow = Window & typeof globalThis

/** The nodes of a replayed page as it is now. */
export interface PageNodes {
  readonly page: Document
  /** Whether pictures may be loaded from the web. */
  readonly external: boolean
  readonly sheets: StyleSheets
  /** By recorded id. */
  readonly byId: Map<unknown, Node>
  /** Trees that have style sheets of their own. */
  readonly roots: Set<Document | ShadowRoot>
  /** Runs after the present batch of events. */
  readonly afterwards: (() => void)[]
  /** How many were made so far. */
  made: number
}

/** Makes a node with its children; undefined beyond the limits. */
export function makeNode(nodes: PageNodes, source: Loose, depth: number): Node | undefined {
  if (depth > maxDepth || nodes.made++ > maxNodes) return undefined
  const node = source.type === 2 ? makeElement(nodes, source, depth) : makeOther(nodes, source)
  if (node) nodes.byId.set(source.id, node)
  return node
}

function makeOther({ page }: PageNodes, { type, textContent }: Loose): Node | undefined {
  if (type === 3 || type === 4) return page.createTextNode(asText(textContent))
  return type === 5 ? page.createComment('') : undefined
}

function makeElement(nodes: PageNodes, source: Loose, depth: number): Element {
  const { page, external, sheets, roots } = nodes
  const tag = asText(source.tagName)
  const attributes = asObject(source.attributes)
  // The frame of the page is in the document.
  define(page.defaultView as FrameWindow, source.isCustom === true ? tag : '')
  const element = createElement(page, tag, source.isSVG === true)
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value, external)
  const recorded = attributes._cssText
  if (isStyleSheet(tag) && (tag === 'style' || recorded)) {
    sheets.add(element, asText(recorded), asText(attributes.media))
  }
  applyMeasures(nodes, element, attributes)
  if (source.isShadowHost === true) {
    try {
      roots.add(element.attachShadow({ mode: 'open' }))
    } catch {
      // Not every element can have one.
    }
  }
  for (const child of asList(source.childNodes)) placeNode(nodes, asObject(child), element, null, depth + 1)
  if (attributes.value !== undefined) setInput(element, { text: attributes.value })
  return element
}

/** Applies what the recorder measured because the markup does not tell it. */
export function applyMeasures({ afterwards }: PageNodes, element: Element, attributes: Loose): void {
  // SVG elements have a style too.
  const { style } = element as HTMLElement
  // A picture that can be shown has its own measures.
  if (typeof attributes.rr_width === 'string' && style && !element.hasAttribute('src')) {
    style.boxSizing = 'border-box'
    style.width = attributes.rr_width
    style.height = asText(attributes.rr_height)
    style.background = element.localName === 'img' ? '#8883' : '#888'
  }
  const { rr_scrollLeft: left, rr_scrollTop: top } = attributes
  if (left || top) afterwards.push(() => element.scrollTo(asNumber(left), asNumber(top)))
  if (attributes.rr_open_mode === 'modal') {
    afterwards.push(() => {
      element.removeAttribute('open')
      // Recorded of dialogs only; on others it throws and is ignored.
      ;(element as HTMLDialogElement).showModal()
    })
  }
}

/** Makes a node and inserts it before the next one; at the end when that is elsewhere. */
export function placeNode(nodes: PageNodes, source: Loose, parent: Node, next: Node | null, depth: number): void {
  const { sheets } = nodes
  const node = makeNode(nodes, source, depth)
  if (!node) return
  // Nodes without a shadow root give undefined.
  const target = (source.isShadow === true && (parent as Element).shadowRoot) || parent
  if (target.nodeName === 'LINK') {
    // Its name is `LINK`.
    if (!node.textContent) node.textContent = sheets.takePart(target as Element)
    // Its name is `LINK`.
    sheets.refresh(target as Element)
  }
  try {
    target.insertBefore(node, next?.parentNode === target ? next : null)
  } catch {
    // A child that this parent cannot have.
  }
}

/** Pages hide elements that are not defined yet; nothing else in the frame would define them. */
function define(frame: FrameWindow, tag: string): void {
  try {
    if (tag && !frame.customElements.get(tag)) frame.customElements.define(tag, class extends frame.HTMLElement {})
  } catch {
    // Not a name for one.
  }
}
