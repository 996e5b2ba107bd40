import { asList, asNumber, asObject, asText, type Loose } from './read-events.ts'

type Root = Document | ShadowRoot

/**
 * The style sheets of a replayed page. All of them are constructed sheets: neither the strict policy of a visitor's site
 * nor Earshot's own allows style elements in a frame. Imports do nothing in such sheets.
 */
export interface StyleSheets {
  /** Adds the sheet of an element: the text recorded with it, and the element's own text. */
  add(owner: Element, recorded: string, media: string): void
  /** The recorded text of an empty text node that was added to the element. */
  takePart(owner: Element): string
  /** Marks the sheet of an element as changed. */
  refresh(owner: Element): void
  /** Drops the sheets of a removed node. */
  drop(node: Node): void
  /** Rules inserted, deleted and replaced by scripts. */
  changeRules(owner: Element | undefined, data: Loose): void
  changeDeclaration(owner: Element | undefined, data: Loose): void
  /** Constructed sheets of the page itself. */
  adopt(root: Root, data: Loose): void
  /** Applies the sheets to the page, after a batch of changes. */
  apply(): void
}

interface OwnedSheet {
  readonly sheet: CSSStyleSheet
  /** Text recorded with the element that belongs to no text node in it. */
  readonly parts: string[]
  stale: boolean
}

export function createStyleSheets(frame: Window & typeof globalThis, getRoots: () => Iterable<Root>): StyleSheets {
  const owned = new Map<Element, OwnedSheet>()
  const byId = new Map<number, CSSStyleSheet>()
  const adopted = new Map<Root, CSSStyleSheet[]>()
  let changed = true

  const find = (owner: Element | undefined, data: Loose): CSSStyleSheet | undefined => {
    flush(owner)
    // A key of another type finds nothing.
    return (owner && owned.get(owner)?.sheet) ?? byId.get(data.styleId as number)
  }

  const flush = (owner: Element | undefined) => {
    const entry = owner && owned.get(owner)
    if (!entry?.stale) return
    entry.stale = false
    replace(entry.sheet, owner?.textContent + entry.parts.join(''))
  }

  return {
    add(owner, recorded, media) {
      const parts = recorded.split('/* rr_split */')
      owned.set(owner, { sheet: new frame.CSSStyleSheet({ media }), parts, stale: true })
      changed = true
    },
    takePart(owner) {
      return owned.get(owner)?.parts.shift() ?? ''
    },
    refresh(owner) {
      const entry = owned.get(owner)
      if (entry) entry.stale = true
      changed = true
    },
    drop(node) {
      // Node type 1 is an element.
      changed ||= node.nodeName === 'LINK' || (node.nodeType === 1 && !!(node as Element).querySelector('link'))
    },
    changeRules(owner, data) {
      const sheet = find(owner, data)
      if (sheet) changeRules(sheet, data)
    },
    changeDeclaration(owner, data) {
      const sheet = find(owner, data)
      if (sheet) changeDeclaration(sheet, data)
    },
    adopt(root, data) {
      for (const { styleId, rules } of asList(data.styles).map(asObject)) {
        const sheet = new frame.CSSStyleSheet()
        for (const { rule } of asList(rules).map(asObject)) {
          attempt(() => sheet.insertRule(asText(rule), sheet.cssRules.length))
        }
        // A key of another type is never found again.
        byId.set(styleId as number, sheet)
      }
      // A key of another type finds nothing.
      const sheets = asList(data.styleIds).map((id) => byId.get(id as number))
      adopted.set(root, [...new Set(sheets.filter((sheet) => sheet !== undefined))])
      changed = true
    },
    apply() {
      if (!changed) return
      changed = false
      for (const root of getRoots()) {
        const sheets: CSSStyleSheet[] = []
        for (const owner of root.querySelectorAll('link')) {
          flush(owner)
          const entry = owned.get(owner)
          if (entry) sheets.push(entry.sheet)
        }
        root.adoptedStyleSheets = [...sheets, ...(adopted.get(root) ?? [])]
      }
    },
  }
}

function changeRules(sheet: CSSStyleSheet, data: Loose): void {
  if (typeof data.replaceSync === 'string') replace(sheet, data.replaceSync)
  if (typeof data.replace === 'string') replace(sheet, data.replace)
  for (const { index } of asList(data.removes).map(asObject)) {
    const place = findRule(sheet, index)
    attempt(() => place.list.deleteRule(place.index))
  }
  for (const { rule, index } of asList(data.adds).map(asObject)) {
    const place = findRule(sheet, index)
    attempt(() => place.list.insertRule(asText(rule), Math.min(place.index, place.list.cssRules.length)))
  }
}

function changeDeclaration(sheet: CSSStyleSheet, data: Loose): void {
  attempt(() => {
    const place = findRule(sheet, data.index)
    // The recorder names rules with declarations; on others it throws, which `attempt` ignores.
    const { style } = place.list.cssRules[place.index] as CSSStyleRule
    const { property, value, priority } = asObject(data.set)
    if (data.set) style.setProperty(asText(property), asText(value), asText(priority))
    if (data.remove) style.removeProperty(asText(asObject(data.remove).property))
  })
}

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // A rule that this browser does not know.
  }
}

const replace = (sheet: CSSStyleSheet, text: string) => attempt(() => sheet.replaceSync(text))

interface Place {
  readonly list: {
    cssRules: CSSRuleList
    insertRule(rule: string, index: number): number
    deleteRule(index: number): void
  }
  readonly index: number
}

/** An index, or a path of indexes through nested rules. */
function findRule(sheet: CSSStyleSheet, path: unknown): Place {
  const steps = Array.isArray(path) ? path : [path]
  let list: Place['list'] = sheet
  for (const step of steps.slice(0, -1)) {
    const rule = list.cssRules[asNumber(step)]
    // Every rule with `cssRules` can insert and delete rules.
    if (rule instanceof Object && 'cssRules' in rule) list = rule as CSSGroupingRule
  }
  return { list, index: steps.at(-1) === undefined ? list.cssRules.length : asNumber(steps.at(-1)) }
}
