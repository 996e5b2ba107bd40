/*
 * Draws the panel: a function of its state, called again after each change, returns what is to be seen, and what is
 * there is brought in line with it. It stands in for Preact's JSX runtime, whose types are used: Preact's components,
 * hooks, contexts, portals and hydration would be more than a third of what a visitor downloads, and none is needed.
 *
 * Children keep their places: what is false, empty or undefined holds its place, so that what follows is not mistaken
 * for something else. In lists of changing length, keys tell children apart.
 */

interface Element$ {
  readonly type: string
  readonly props: Props
  readonly key: unknown
}
type Props = Record<string, unknown>
/** A node with what it was last drawn from. */
type Drawn = ChildNode & Record<string, unknown> & { drawn?: Element$ }

/** What JSX is compiled to. */
export const jsx = (type: string, props: Props, key?: unknown): Element$ => ({ type, props, key })
export { jsx as jsxs }

function setProperty(node: Drawn & Element, name: string, value: unknown): void {
  if (name === 'style') Object.assign(node[name] as object, value)
  else if (typeof value === 'function') {
    // Without a result: false would cancel what the browser is about to do.
    ;(node as Props)[name.toLowerCase()] = (event: Event) => void value(event)
  } else if (name in node && !('ownerSVGElement' in node)) {
    // What the visitor types or chooses has changed it already. At first, what is the default is to be seen as well.
    if (node.drawn ? node[name] !== value : value !== undefined) (node as Props)[name] = value ?? ''
  } else if (value === undefined) node.removeAttribute(name)
  else node.setAttribute(name, `${value}`)
}

function create(child: unknown, parent: Element): Drawn {
  const { type } = child as Element$
  const namespace = type === 'svg' ? 'http://www.w3.org/2000/svg' : parent.namespaceURI
  return (type ? document.createElementNS(namespace, type) : new Text()) as unknown as Drawn
}

/** Brings the children of an element in line with what they should be. */
export function render(wanted: unknown, parent: Element): void {
  let node = parent.firstChild as Drawn | null
  for (const child of [wanted].flat(9)) {
    const next = (child || child === 0 ? child : '') as Element$
    const isSame = (other: Drawn | null) => other?.drawn?.type === next.type && other?.drawn?.key === next.key
    let same = node
    while (same && !isSame(same)) same = next.key === undefined ? null : (same.nextSibling as Drawn | null)
    const present = same ?? create(next, parent)
    if (present !== node) {
      parent.insertBefore(present, node)
      // Without a key, what stood in this place is over.
      if (!same && node && next.key === undefined) {
        const over = node
        node = node.nextSibling as Drawn | null
        over.remove()
      }
    } else node = node.nextSibling as Drawn | null
    if (next.type) {
      const { props } = next
      // Before the properties: the value of a list is one of its options. What has none here may be another stage's.
      if ('children' in props) render(props.children, present as unknown as Element)
      for (const name in { ...present.drawn?.props, ...props }) {
        if (name !== 'children') setProperty(present as Drawn & Element, name, props[name])
      }
    } else if (present.data !== `${next}`) present.data = `${next}`
    present.drawn = next
  }
  while (node) {
    const over = node
    node = node.nextSibling as Drawn | null
    over.remove()
  }
}
