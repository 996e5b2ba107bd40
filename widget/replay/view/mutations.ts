import { setAttribute } from './elements.ts'
import { applyMeasures, type PageNodes, placeNode } from './nodes.ts'
import { asList, asObject, asText, type Loose } from './read-events.ts'

/** Applies one batch of changes to the tree: removals, additions, texts and attributes, in this order. */
export function applyMutations(nodes: PageNodes, data: Loose): void {
  const { page, external, sheets, byId } = nodes
  for (const { id } of asList(data.removes).map(asObject)) {
    const node = byId.get(id)
    const parent = node?.parentNode
    if (!parent || node === page.documentElement) continue
    parent.removeChild(node)
    sheets.drop(node)
    // Its name is `LINK`.
    if (parent.nodeName === 'LINK') sheets.refresh(parent as Element)
  }
  addNodes(nodes, asList(data.adds).map(asObject))
  for (const { id, value } of asList(data.texts).map(asObject)) {
    const node = byId.get(id)
    if (node?.nodeType !== 3) continue
    node.textContent = asText(value)
    // Its name is `LINK`.
    if (node.parentNode?.nodeName === 'LINK') sheets.refresh(node.parentNode as Element)
  }
  for (const { id, attributes } of asList(data.attributes).map(asObject)) {
    // The recorder writes attributes of elements only.
    const element = byId.get(id) as Element | undefined
    if (element?.nodeType !== 1) continue
    const changes = asObject(attributes)
    for (const [name, value] of Object.entries(changes)) setAttribute(element, name, value, external)
    applyMeasures(nodes, element, changes)
  }
}

/** Additions may name parents and neighbours that come later in the list. */
function addNodes(nodes: PageNodes, adds: readonly Loose[]): void {
  const { byId } = nodes
  let left = [...adds]
  for (let round = 0; left.length && round < 50; round++) {
    const waiting: Loose[] = []
    for (const one of left) {
      const parent = byId.get(one.parentId)
      const next = byId.get(one.nextId)
      if (!parent || (one.nextId != null && !next && round < 40)) waiting.push(one)
      else placeNode(nodes, asObject(one.node), parent, next ?? null, 0)
    }
    // From the other end each time: lists come in either order.
    left = waiting.length < left.length || round < 40 ? waiting.reverse() : []
  }
}
