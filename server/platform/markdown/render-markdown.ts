import MarkdownIt, { type StateBlock, type Token } from 'markdown-it'

/** A heading of a text, for its table of contents. */
export interface Heading {
  /** Its anchor, without `#`. */
  readonly id: string
  readonly text: string
  /** 2 to 6; the title, of level 1, is not in the list. */
  readonly level: number
}

/** A part of a text, from a heading to the next, for a search. */
export interface Passage {
  /** The anchor of its heading; empty before the first. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface RenderedMarkdown {
  /** Safe to be put into a page: markup in the text is shown as text, and links lead to pages and addresses only. */
  readonly html: string
  /** The first heading of level 1, which the HTML has not; empty: none. */
  readonly title: string
  readonly headings: readonly Heading[]
  readonly passages: readonly Passage[]
}

interface Options {
  /** Turns a link of the text into an address, e.g. a file's name into its page. */
  readonly resolveLink?: (href: string) => string
}

/** Links that lead somewhere and run nothing: pages, mail, and what is relative. */
const safeLink = /^(?:https?:\/\/|mailto:|\/(?!\/)|\.{0,2}\/(?!\/)|#|[\w-]+(?:\.md)?(?:[?#]|$))/i
/** Pictures of our own: the pages' policy refuses all others. */
const safePicture = /^\/(?!\/)/

/**
 * Renders CommonMark with tables, and with blocks of tabs:
 *
 * ```
 * :::tabs
 * ::tab React
 * …
 * :::
 * ```
 *
 * Code blocks and tabs are marked (`data-code`, `data-tabs`, `data-tab`) for the script of the page.
 */
export function renderMarkdown(source: string, { resolveLink = (href) => href }: Options = {}): RenderedMarkdown {
  const markdown = createMarkdown()
  const tokens = markdown.parse(source, {})
  const { title, headings } = nameHeadings(tokens)
  for (const token of tokens.flatMap((token) => token.children ?? [])) {
    if (token.type === 'link_open') setAddress(token, resolveLink(String(token.attrGet('href') ?? '')))
    if (token.type === 'image') token.attrSet('loading', 'lazy')
  }
  return {
    html: markdown.renderer.render(withoutTitle(tokens), markdown.options, {}),
    title,
    headings,
    passages: listPassages(tokens),
  }
}

/** The anchor of a heading: lower case, everything but letters and digits a hyphen. */
function toAnchor(text: string): string {
  const anchor = text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return anchor || 'section'
}

function createMarkdown() {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
  markdown.validateLink = (url) => safeLink.test(url.trim()) && !/[\s\p{Control}\\]/u.test(url.trim())
  markdown.block.ruler.before('fence', 'tabs', parseTabs, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  const { rules } = markdown.renderer
  const escapeText = markdown.utils.escapeHtml
  rules.fence = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    const language = /^[\w-]+/.exec(info)?.[0] ?? ''
    // Scrolled by keys too where it is wider than the page.
    return `<div data-code="${language}"><pre tabindex="0"><code>${escapeText(content)}</code></pre></div>\n`
  }
  rules.table_open = () => '<div data-table tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'
  rules.tabs_open = () => '<div data-tabs>\n'
  rules.tabs_close = () => '</div>\n'
  rules.tab_open = (tokens, index) => {
    const name = escapeText(tokens[index]?.info ?? '')
    return `<section data-tab="${name}"><p data-tab-name>${name}</p>\n`
  }
  rules.tab_close = () => '</section>\n'
  const renderImage = rules.image
  rules.image = (tokens, index, ...rest) => {
    const token = tokens[index]
    const isOwn = safePicture.test(String(token?.attrGet('src') ?? ''))
    return isOwn && renderImage ? renderImage(tokens, index, ...rest) : escapeText(token?.content ?? '')
  }
  return markdown
}

const tabsStart = /^:::tabs\s*$/
const tabsEnd = /^:::\s*$/
const tabStart = /^::tab\s+(\S.*?)\s*$/
const fenceLine = /^\s*(`{3,}|~{3,})/

/** The rule for a block of tabs. Lines of code blocks end and begin nothing. */
function parseTabs(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const readLine = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
  if (!tabsStart.test(readLine(startLine))) return false
  const tabs: { name: string; from: number; to: number }[] = []
  let fence = ''
  let line = startLine + 1
  for (; line < endLine; line += 1) {
    const text = readLine(line)
    const mark = fenceLine.exec(text)?.[1] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      continue
    }
    fence = mark
    if (tabsEnd.test(text)) break
    const name = tabStart.exec(text)?.[1]
    const last = tabs.at(-1)
    if (name === undefined) continue
    if (last) last.to = line
    tabs.push({ name, from: line + 1, to: endLine })
  }
  const last = tabs.at(-1)
  if (!last || line >= endLine) return false
  if (isSilent) return true
  last.to = line
  const lineMax = state.lineMax
  state.push('tabs_open', 'div', 1)
  for (const { name, from, to } of tabs) {
    state.push('tab_open', 'section', 1).info = name
    state.lineMax = to
    state.md.block.tokenize(state, from, to)
    state.push('tab_close', 'section', -1)
  }
  state.push('tabs_close', 'div', -1)
  state.lineMax = lineMax
  state.line = line + 1
  return true
}

function setAddress(token: Token, href: string): void {
  token.attrSet('href', href)
  // What others link to is not ours to recommend.
  if (/^https?:/i.test(href)) token.attrSet('rel', 'noopener nofollow')
}

/** Gives each heading an anchor that no other has. */
function nameHeadings(tokens: readonly Token[]): { title: string; headings: Heading[] } {
  let title = ''
  const headings: Heading[] = []
  const taken = new Map<string, number>()
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return
    const text = readText(tokens[index + 1])
    const level = Number(token.tag.slice(1))
    if (level === 1 && title === '') {
      title = text
      return
    }
    const anchor = toAnchor(text)
    const count = taken.get(anchor) ?? 0
    taken.set(anchor, count + 1)
    const id = count === 0 ? anchor : `${anchor}-${count + 1}`
    token.attrSet('id', id)
    headings.push({ id, text, level: Math.max(level, 2) })
  })
  return { title, headings }
}

/** The page shows the title itself. */
function withoutTitle(tokens: Token[]): Token[] {
  const at = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  if (at >= 0) tokens.splice(at, 3)
  // A second title is a heading of the text.
  for (const token of tokens) if (token.tag === 'h1') token.tag = 'h2'
  return tokens
}

function listPassages(tokens: readonly Token[]): Passage[] {
  const passages: { id: string; heading: string; text: string }[] = [{ id: '', heading: '', text: '' }]
  tokens.forEach((token, index) => {
    const id = token.type === 'heading_open' ? token.attrGet('id') : null
    if (id) passages.push({ id: String(id), heading: readText(tokens[index + 1]), text: '' })
    const isHeading = tokens[index - 1]?.type === 'heading_open'
    const text = token.type === 'fence' ? token.content : token.type === 'inline' && !isHeading ? readText(token) : ''
    const last = passages.at(-1)
    if (last && text !== '') last.text += `${last.text && ' '}${text.trim()}`
  })
  return passages.filter(({ heading, text }) => heading !== '' || text !== '')
}

function readText(token: Token | undefined): string {
  const parts = token?.children ?? []
  return parts.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}
