import { createElement, isStyleSheet, setAttribute, setInput } from './elements.ts'
import { asList, asNumber, asObject, asText, type Loose, type ReplayEvent } from './read-events.ts'
import { createStyleSheets, type StyleSheets } from './style-sheets.ts'

/** Deeper than any page; ends a recording that was made to exhaust the stack. */
const maxDepth = 400
const maxNodes = 120_000

/** A recorded page, made again in the document of a frame that runs no scripts. */
export interface ReplayedPage {
  /** Makes the whole page anew (an event of type 2). */
  build(event: ReplayEvent): void
  /** Applies what happened (an event of type 3). */
  apply(event: ReplayEvent): void
  /** To be called after a batch of events. */
  settle(): void
}

/** @param external whether pictures may be loaded from the web */
export function createPage(page: Document, external: boolean): ReplayedPage {
  const frame = page.defaultView as Window & typeof globalThis
  let nodes = new Map<unknown, Node>()
  let roots = new Set<Document | ShadowRoot>()
  let sheets: StyleSheets
  let afterwards: (() => void)[] = []
  let made = 0

  const findElement = (id: unknown) => nodes.get(id) as Element | undefined

  const make = (source: Loose, depth: number): Node | undefined => {
    if (depth > maxDepth || made++ > maxNodes) return undefined
    const node = source.type === 2 ? makeElement(source, depth) : makeOther(source)
    if (node) nodes.set(source.id, node)
    return node
  }

  const makeOther = ({ type, textContent }: Loose) =>
    type === 3 || type === 4
      ? page.createTextNode(asText(textContent))
      : type === 5
        ? page.createComment('')
        : undefined

  const makeElement = (source: Loose, depth: number): Element => {
    const tag = asText(source.tagName)
    const attributes = asObject(source.attributes)
    define(frame, source.isCustom === true ? tag : '')
    const element = createElement(page, tag, source.isSVG === true)
    for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value, external)
    const recorded = attributes._cssText
    if (isStyleSheet(tag) && (tag === 'style' || recorded)) {
      sheets.add(element, asText(recorded), asText(attributes.media))
    }
    measure(element, attributes)
    if (source.isShadowHost === true) {
      try {
        roots.add(element.attachShadow({ mode: 'open' }))
      } catch {
        // Not every element can have one.
      }
    }
    for (const child of asList(source.childNodes)) place(asObject(child), element, null, depth + 1)
    if (attributes.value !== undefined) setInput(element, { text: attributes.value })
    return element
  }

  /** What the recorder measured because it can't be seen from the markup. */
  const measure = (element: Element, attributes: Loose) => {
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
        ;(element as HTMLDialogElement).showModal()
      })
    }
  }

  const place = (source: Loose, parent: Node, next: Node | null, depth: number) => {
    const node = make(source, depth)
    if (!node) return
    const target = (source.isShadow === true && (parent as Element).shadowRoot) || parent
    if (target.nodeName === 'LINK') {
      if (!node.textContent) node.textContent = sheets.takePart(target as Element)
      sheets.refresh(target as Element)
    }
    try {
      target.insertBefore(node, next?.parentNode === target ? next : null)
    } catch {
      // A child that this parent cannot have.
    }
  }

  /** Adds may name parents and neighbours that only come later in the list. */
  const add = (adds: readonly Loose[]) => {
    let left = [...adds]
    for (let round = 0; left.length && round < 50; round++) {
      const waiting: Loose[] = []
      for (const one of left) {
        const parent = nodes.get(one.parentId)
        const next = nodes.get(one.nextId)
        if (!parent || (one.nextId != null && !next && round < 40)) waiting.push(one)
        else {
          place(asObject(one.node), parent, next ?? null, 0)
        }
      }
      // From the other end each time: lists come in either order.
      left = waiting.length < left.length || round < 40 ? waiting.reverse() : []
    }
  }

  const mutate = (data: Loose) => {
    for (const { id } of asList(data.removes).map(asObject)) {
      const node = nodes.get(id)
      const parent = node?.parentNode
      if (!parent || node === page.documentElement) continue
      parent.removeChild(node)
      sheets.drop(node)
      if (parent.nodeName === 'LINK') sheets.refresh(parent as Element)
    }
    add(asList(data.adds).map(asObject))
    for (const { id, value } of asList(data.texts).map(asObject)) {
      const node = nodes.get(id)
      if (node?.nodeType !== 3) continue
      node.textContent = asText(value)
      if (node.parentNode?.nodeName === 'LINK') sheets.refresh(node.parentNode as Element)
    }
    for (const { id, attributes } of asList(data.attributes).map(asObject)) {
      const element = findElement(id)
      if (element?.nodeType !== 1) continue
      const changes = asObject(attributes)
      for (const [name, value] of Object.entries(changes)) setAttribute(element, name, value, external)
      measure(element, changes)
    }
  }

  const scroll = ({ id, x, y }: Loose) => {
    const node = nodes.get(id)
    const target = node?.nodeType === 9 ? page.scrollingElement : (node as Element | undefined)
    // Whatever the page says of smoothness.
    target?.scrollTo?.({ left: asNumber(x), top: asNumber(y), behavior: 'instant' })
  }

  return {
    build({ data }) {
      made = 0
      nodes = new Map()
      roots = new Set([page])
      afterwards = []
      sheets = createStyleSheets(frame, () => roots)
      const source = asObject(data.node)
      nodes.set(source.id, page)
      page.adoptedStyleSheets = []
      const html = asList(source.childNodes)
        .map(asObject)
        .find(({ type }) => type === 2)
      const root = html && make({ ...html, tagName: 'html' }, 0)
      page.replaceChildren()
      if (root) page.append(root)
      sheets.apply()
      const { left, top } = asObject(data.initialOffset)
      afterwards.push(() =>
        page.scrollingElement?.scrollTo({ left: asNumber(left), top: asNumber(top), behavior: 'instant' }),
      )
      this.settle()
    },
    apply({ data }) {
      const owner = findElement(data.id)
      if (data.source === 0) mutate(data)
      else if (data.source === 3) afterwards.push(() => scroll(data))
      else if (data.source === 5 && owner?.nodeType === 1) setInput(owner, data)
      else if (data.source === 8) sheets.changeRules(owner, data)
      else if (data.source === 13) sheets.changeDeclaration(owner, data)
      else if (data.source === 15) {
        const root = owner?.nodeType === 1 ? owner.shadowRoot : page
        if (root) sheets.adopt(root, data)
      }
    },
    settle() {
      sheets.apply()
      for (const run of afterwards.splice(0)) {
        try {
          run()
        } catch {
          // A dialog that is not in the page, an element that does not scroll.
        }
      }
    },
  }
}

/** Pages hide elements that are not defined yet; here nobody else would define them. */
function define(frame: Window & typeof globalThis, tag: string): void {
  try {
    if (tag && !frame.customElements.get(tag)) frame.customElements.define(tag, class extends frame.HTMLElement {})
  } catch {
    // Not a name for one.
  }
}
