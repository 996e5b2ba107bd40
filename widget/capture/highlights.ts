import { readComputed } from './computed.ts'
import { escapeXml } from './escape-xml.ts'

/** A part of a text, from offset to offset, and the declarations that show it. */
type Part = readonly [start: number, end: number, css: string]

/** A range of the page. Not all have the methods of `Range`. */
type AnyRange = Pick<AbstractRange, 'startContainer' | 'startOffset' | 'endContainer' | 'endOffset'>

/** Declarations of a highlight on an element's text. A background that is transparent lets one beneath it show. */
function readHighlight(element: Element, pseudo: string): string {
  const { color, backgroundColor, textDecoration, textShadow } = readComputed(element, pseudo)
  const own = readComputed(element).color
  const isClear = backgroundColor === 'rgba(0, 0, 0, 0)'
  if (pseudo !== '::selection') {
    return `${color === own ? '' : `color:${color};`}${isClear ? '' : `background:${backgroundColor};`}${/^none/.test(textDecoration) ? '' : `text-decoration:${textDecoration};`}${textShadow === 'none' ? '' : `text-shadow:${textShadow};`}`
  }
  // Without a style of the page, a selection has the system's colours, which are not in the computed style.
  const isDefault = isClear && color === own
  return isDefault ? 'color:HighlightText;background:Highlight;' : `color:${color};background:${backgroundColor};`
}

/** How far the line of a text extends above and below its letters: a selection covers the line, an element the letters. */
function measureGap(text: Text): number {
  const range = text.ownerDocument.createRange()
  range.selectNodeContents(text)
  // Text in an element; `normal` is no number.
  const lineHeight = Number.parseFloat(readComputed(text.parentElement as Element).lineHeight)
  return Math.max(0, (lineHeight - (range.getClientRects()[0]?.height ?? 0)) / 2) || 0
}

/** Adds the parts of all texts within a range. */
function addRange(parts: Map<Text, Part[]>, given: AnyRange, pseudo: string): void {
  const { startContainer, startOffset, endContainer, endOffset } = given
  const document = startContainer.ownerDocument ?? (startContainer as Document) // Only a document has none.
  const range = document.createRange()
  range.setStart(startContainer, startOffset)
  range.setEnd(endContainer, endOffset)
  const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT)
  // A range within one text has that text as its root.
  for (let node: Node | null = walker.root; node; node = walker.nextNode()) {
    const { parentElement, data } = node as Text // Others have no `data`.
    if (!parentElement || !data?.trim() || !range.intersectsNode(node)) continue
    // An SVG shows no text within an unknown element.
    if (/svg$/.test(parentElement.namespaceURI ?? '')) continue
    const start = node === startContainer ? startOffset : 0
    const end = node === endContainer ? endOffset : data.length
    const isSelection = pseudo === '::selection'
    if (start >= end || (isSelection && /^none/.test(readComputed(parentElement).userSelect))) continue
    const text = node as Text // It has `data`.
    const gap = isSelection ? `padding-block:${measureGap(text)}px;` : ''
    parts.set(text, [...(parts.get(text) ?? []), [start, end, readHighlight(parentElement, pseudo) + gap]])
  }
}

/**
 * A text with its parts as elements. One element around them all, so that a flex container still has one item. Selectors
 * such as `:first-child` count it, which few pages show.
 */
function writeParts(data: string, parts: readonly Part[]): string {
  const cuts = [...new Set([0, data.length, ...parts.flatMap((part) => [part[0], part[1]])])].sort((a, b) => a - b)
  const pieces = cuts.slice(1).map((end, index) => {
    const start = cuts[index] as number // One less than `cuts`.
    const css = parts.map((part) => (part[0] <= start && part[1] >= end ? part[2] : '')).join('')
    const text = escapeXml(data.slice(start, end))
    return css ? `<_ style="${escapeXml(`all:unset;${css}`)}">${text}</_>` : text
  })
  return `<_ style="all:unset">${pieces.join('')}</_>`
}

/** The texts of a document, as XML, that the page highlights (`::highlight()`) or the visitor has selected. */
export function writeHighlights(document: Document): ReadonlyMap<Node, string> {
  const parts = new Map<Text, Part[]>()
  const { CSS } = document.defaultView as Window & typeof globalThis // Only documents in a window are drawn.
  const ordered = [...(CSS.highlights ?? [])].sort(([, one], [, other]) => one.priority - other.priority)
  for (const [name, ranges] of ordered) {
    for (const range of ranges) addRange(parts, range, `::highlight(${name})`)
  }
  const selection = document.getSelection()
  if (selection?.rangeCount) addRange(parts, selection.getRangeAt(0), '::selection')
  return new Map([...parts].map(([text, each]) => [text, writeParts(text.data, each)]))
}
