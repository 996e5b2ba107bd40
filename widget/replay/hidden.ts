/** Never in a replay, whatever the project's settings. */
const alwaysHidden = ['[data-earshot-mask]', 'input[type=password]', '[autocomplete*=cc-]', '[autocomplete*=password]']

/** Text that a visitor types outside of form fields. */
export const typedText = 'textarea,[contenteditable]:not([contenteditable=false]),[role=textbox]'

/** One selector for everything hidden. A selector that this browser cannot read would take the others with it. */
export function joinHidden(mask: readonly string[]): string {
  const readable = mask.filter((selector) => {
    try {
      document.querySelector(selector)
      return true
    } catch {
      return false
    }
  })
  return [...alwaysHidden, ...readable].join()
}

/** Whether a node lies in the shadow tree or frame of a hidden element; the recorder looks no further than its own tree. */
export function isInHidden(node: Node | null | undefined, hidden: string): boolean {
  const root = node?.getRootNode()
  if (!root || root === document) return false
  // A shadow root, a frame's document, or the root of a removed tree.
  const outer = root.nodeType === 11 ? (root as ShadowRoot).host : (root as Document).defaultView?.frameElement
  return !!outer && (!!outer.closest(hidden) || isInHidden(outer, hidden))
}
