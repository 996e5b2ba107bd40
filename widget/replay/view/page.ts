import { setInput } from './elements.ts'
import { applyMutations } from './mutations.ts'
import { makeNode, type PageNodes } from './nodes.ts'
import { asList, asNumber, asObject, type Loose, type ReplayEvent } from './read-events.ts'
import { createStyleSheets } from './style-sheets.ts'

/** A recorded page, made again in the document of a frame that runs no scripts. */
export interface ReplayedPage {
  /** Rebuilds the whole page (an event of type 2). */
  build(event: ReplayEvent): void
  /** Applies a change (an event of type 3). */
  apply(event: ReplayEvent): void
  /** To be called after a batch of events. */
  settle(): void
}

function createNodes(page: Document, external: boolean): PageNodes {
  const roots = new Set<Document | ShadowRoot>([page])
  // The frame of the page is in the document; `defaultView` is declared without its constructors.
  const sheets = createStyleSheets(page.defaultView as Window & typeof globalThis, () => roots)
  return { page, external, sheets, roots, byId: new Map(), afterwards: [], made: 0 }
}

function scrollNode({ page, byId }: PageNodes, { id, x, y }: Loose): void {
  const node = byId.get(id)
  // The recorder writes positions of elements and documents only.
  const target = node?.nodeType === 9 ? page.scrollingElement : (node as Element | undefined)
  // At once, even where the page asks for smooth scrolling.
  target?.scrollTo?.({ left: asNumber(x), top: asNumber(y), behavior: 'instant' })
}

/** @param external whether pictures may be loaded from the web */
export function createPage(page: Document, external: boolean): ReplayedPage {
  let nodes = createNodes(page, external)
  return {
    build({ data }) {
      nodes = createNodes(page, external)
      const source = asObject(data.node)
      nodes.byId.set(source.id, page)
      page.adoptedStyleSheets = []
      const html = asList(source.childNodes)
        .map(asObject)
        .find(({ type }) => type === 2)
      const root = html && makeNode(nodes, { ...html, tagName: 'html' }, 0)
      page.replaceChildren()
      if (root) page.append(root)
      nodes.sheets.apply()
      const { left, top } = asObject(data.initialOffset)
      nodes.afterwards.push(() =>
        page.scrollingElement?.scrollTo({ left: asNumber(left), top: asNumber(top), behavior: 'instant' }),
      )
      this.settle()
    },
    apply({ data }) {
      const { byId, sheets, afterwards } = nodes
      // The recorder names elements here.
      const owner = byId.get(data.id) as Element | undefined
      if (data.source === 0) applyMutations(nodes, data)
      else if (data.source === 3) afterwards.push(() => scrollNode(nodes, data))
      else if (data.source === 5 && owner?.nodeType === 1) setInput(owner, data)
      else if (data.source === 8) sheets.changeRules(owner, data)
      else if (data.source === 13) sheets.changeDeclaration(owner, data)
      else if (data.source === 15) {
        const root = owner?.nodeType === 1 ? owner.shadowRoot : page
        if (root) sheets.adopt(root, data)
      }
    },
    settle() {
      nodes.sheets.apply()
      for (const run of nodes.afterwards.splice(0)) {
        try {
          run()
        } catch {
          // A dialog that is not in the page, an element that does not scroll.
        }
      }
    },
  }
}
