/*
 * Draws the panel: views are functions of the state, called again after each change, and the DOM is updated to match.
 * Replaces Preact's JSX runtime, whose types are used: Preact's components, hooks, contexts, portals and hydration would
 * be more than a third of a visitor's download, and none is needed.
 *
 * Children keep their places: false, empty and undefined children hold theirs, so that later children are not mistaken
 * for others. In lists of changing length, keys identify children.
 */

interface Element$ {
  readonly type: string
  readonly props: Props
  readonly key: unknown
}
type Props = Record<string, unknown>
/** A node with the element that it was last drawn from. */
type Drawn = ChildNode & Record<string, unknown> & { drawn?: Element$; readonly nextSibling: Drawn | null }

/** The target of compiled JSX. */
export const jsx = (type: string, props: Props, key?: unknown): Element$ => ({ type, props, key })
export { jsx as jsxs }

function setProperty(node: Drawn & Element, name: string, value: unknown): void {
  // `style` is an object.
  if (name === 'style') Object.assign(node[name] as object, value)
  else if (typeof value === 'function') {
    // Without a result: false would cancel the browser's default action.
    ;(node as Props)[name.toLowerCase()] = (event: Event) => void value(event)
  } else if (name in node && !('ownerSVGElement' in node)) {
    // Typing and selecting have changed the property already. A new node gets every defined value.
    if (node.drawn ? node[name] !== value : value !== undefined) (node as Props)[name] = value ?? ''
  } else if (value === undefined) node.removeAttribute(name)
  else node.setAttribute(name, `${value}`)
}

function create(child: unknown, parent: Element): Drawn {
  // Text has no type either.
  const { type } = child as Element$
  const namespace = type === 'svg' ? 'http://www.w3.org/2000/svg' : parent.namespaceURI
  // `drawn` is set by the caller.
  return (type ? document.createElementNS(namespace, type) : new Text()) as unknown as Drawn
}

/** Updates the children of an element to match the wanted ones. */
export function render(wanted: unknown, parent: Element): void {
  // Only this file puts nodes in the parent.
  let node = parent.firstChild as Drawn | null
  for (const child of [wanted].flat(9)) {
    // Text and numbers have neither type nor key.
    const next = (child || child === 0 ? child : '') as Element$
    const isSame = (other: Drawn | null) => other?.drawn?.type === next.type && other?.drawn?.key === next.key
    let same = node
    while (same && !isSame(same)) same = next.key === undefined ? null : same.nextSibling
    const present = same ?? create(next, parent)
    if (present !== node) {
      parent.insertBefore(present, node)
      // Without a key, the node that had this place is removed.
      if (!same && node && next.key === undefined) {
        const over = node
        node = node.nextSibling
        over.remove()
      }
    } else node = node.nextSibling
    if (next.type) {
      const { props } = next
      // Children first: a select's value is one of its options. Elements without children here may be filled by another stage.
      if ('children' in props) render(props.children, present as unknown as Element)
      for (const name in { ...present.drawn?.props, ...props }) {
        // A node with properties is an element.
        if (name !== 'children') setProperty(present as Drawn & Element, name, props[name])
      }
    } else if (present.data !== `${next}`) present.data = `${next}`
    present.drawn = next
  }
  while (node) {
    const over = node
    node = node.nextSibling
    over.remove()
  }
}
