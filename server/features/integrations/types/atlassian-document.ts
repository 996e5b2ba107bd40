/* Texts in the Atlassian Document Format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure */

interface Mark {
  readonly type: string
  readonly attrs?: Readonly<Record<string, unknown>>
}

export interface DocumentNode {
  readonly type: string
  readonly text?: string
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly marks?: readonly Mark[]
  readonly content?: readonly DocumentNode[]
}

export interface AtlassianDocument {
  readonly type: 'doc'
  readonly version: 1
  readonly content: readonly DocumentNode[]
}

/** Jira takes 32,767 characters in a text field. */
const maxLength = 30_000

/**
 * Markdown as a document: quotations, lists of one level, headings, code, links and bold text, as issues and comments of Earshot
 * have them. Pictures become links, because Jira shows only files of its own. A long text is cut; its last block stays.
 */
export function writeDocument(markdown: string): AtlassianDocument {
  const blocks = writeBlocks(markdown.split('\n'))
  const last = blocks.slice(-1)
  let left = maxLength - countCharacters(last)
  const fitted = blocks.slice(0, -1).flatMap((block) => {
    const cut = cutNode(block, left)
    left -= countCharacters([block])
    return cut
  })
  return { type: 'doc', version: 1, content: [...fitted, ...last.flatMap((block) => cutNode(block, maxLength))] }
}

type BlockKind = 'blank' | 'fence' | 'heading' | 'quote' | 'list' | 'text'

function readKind(line: string): BlockKind {
  if (line.trim() === '') return 'blank'
  if (/^`{3,}\w*$/.test(line)) return 'fence'
  if (/^#{1,6} /.test(line)) return 'heading'
  if (line.startsWith('>')) return 'quote'
  return line.startsWith('- ') ? 'list' : 'text'
}

function writeBlocks(lines: readonly string[]): DocumentNode[] {
  const blocks: DocumentNode[] = []
  for (let start = 0; start < lines.length; ) {
    const first = lines[start] ?? ''
    const kind = readKind(first)
    if (kind === 'fence') {
      const end = lines.indexOf(first.replace(/\w+$/, ''), start + 1)
      const text = lines.slice(start + 1, end === -1 ? undefined : end).join('\n')
      blocks.push({ type: 'codeBlock', content: writeText(text) })
      start = end === -1 ? lines.length : end + 1
      continue
    }
    const end = lines.findIndex((line, at) => at > start && (kind === 'heading' || readKind(line) !== kind))
    const own = lines.slice(start, end === -1 ? undefined : end)
    blocks.push(...writeBlock(kind, own))
    start += own.length
  }
  return blocks
}

function writeBlock(kind: BlockKind, lines: readonly string[]): DocumentNode[] {
  if (kind === 'blank') return []
  if (kind === 'text') return [writeParagraph(lines)]
  if (kind === 'heading') {
    const [, level = '', text = ''] = /^(#+) +(.*)$/.exec(lines[0] ?? '') ?? []
    return [{ type: 'heading', attrs: { level: level.length }, content: writeInline(text) }]
  }
  if (kind === 'list') {
    const items = lines.map((line) => ({ type: 'listItem', content: [writeParagraph([line.slice(2)])] }))
    return [{ type: 'bulletList', content: items }]
  }
  const quoted = lines.map((line) => line.replace(/^> ?/, ''))
  const blank = quoted.flatMap((line, at) => (line.trim() === '' ? [at] : []))
  const paragraphs = [-1, ...blank].map((at, index) => quoted.slice(at + 1, blank[index]))
  return [{ type: 'blockquote', content: paragraphs.flatMap((own) => (own.length > 0 ? [writeParagraph(own)] : [])) }]
}

function writeParagraph(lines: readonly string[]): DocumentNode {
  const content = lines.flatMap((line, at) => [
    ...(at > 0 ? [{ type: 'hardBreak' }] : []),
    ...writeInline(line.trimEnd()),
  ])
  return { type: 'paragraph', content }
}

/** No text node may be empty. */
function writeText(text: string, marks: readonly Mark[] = []): DocumentNode[] {
  return text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 && { marks }) }]
}

const escaped = String.raw`\\(?<escape>[!-/:-@[-\x60{-~])`
const code = String.raw`(?<!\x60)(?<ticks>\x60+)(?!\x60)(?<code>.+?)(?<!\x60)\k<ticks>(?!\x60)`
const strong = String.raw`\*\*(?<strong>(?:\\.|[^\\])+?)\*\*`
const link = String.raw`!?\[(?<label>(?:\\.|[^\]\\])*)\]\((?<href>https?:[^)\s]+)\)`
const inlinePattern = new RegExp([escaped, code, strong, link].join('|'), 'g')

function writeInline(line: string, marks: readonly Mark[] = []): DocumentNode[] {
  const nodes: DocumentNode[] = []
  let plain = ''
  let end = 0
  const flush = () => {
    nodes.push(...writeText(plain, marks))
    plain = ''
  }
  for (const match of line.matchAll(inlinePattern)) {
    plain += line.slice(end, match.index)
    end = match.index + match[0].length
    const { escape: character, code: text, strong: bold, label, href } = match.groups ?? {}
    if (character !== undefined) {
      plain += character
      continue
    }
    flush()
    // Code takes no other mark than a link.
    if (text !== undefined) nodes.push(...writeText(text.trim(), [{ type: 'code' }]))
    else if (bold !== undefined) nodes.push(...writeInline(bold, [...marks, { type: 'strong' }]))
    else nodes.push(...writeInline(label || 'Link', [...marks, { type: 'link', attrs: { href } }]))
  }
  plain += line.slice(end)
  flush()
  return nodes
}

function countCharacters(nodes: readonly DocumentNode[]): number {
  return nodes.reduce((sum, { text = '', content = [] }) => sum + text.length + countCharacters(content), 0)
}

/** A node with at most so many characters; empty: none fit. */
function cutNode(node: DocumentNode, most: number): DocumentNode[] {
  if (countCharacters([node]) <= most) return [node]
  if (most <= 0) return []
  if (node.text !== undefined) return [{ ...node, text: `${node.text.slice(0, most - 1).toWellFormed()}…` }]
  let left = most
  const content = (node.content ?? []).flatMap((child) => {
    const cut = cutNode(child, left)
    left -= countCharacters([child])
    return cut
  })
  return content.length === 0 ? [] : [{ ...node, content }]
}

/** What a kind of node says of itself. All others say what they contain. */
const readers: Readonly<Record<string, (node: DocumentNode) => string>> = {
  text: ({ text = '', marks = [] }) => {
    const href = marks.find(({ type }) => type === 'link')?.attrs?.href
    return typeof href === 'string' && href !== text ? `[${text}](${href})` : text
  },
  hardBreak: () => '\n',
  rule: () => '---',
  mention: ({ attrs }) => readAttribute(attrs, 'text'),
  status: ({ attrs }) => readAttribute(attrs, 'text'),
  emoji: ({ attrs }) => readAttribute(attrs, 'text') || readAttribute(attrs, 'shortName'),
  inlineCard: ({ attrs }) => readAttribute(attrs, 'url'),
  blockCard: ({ attrs }) => readAttribute(attrs, 'url'),
  date: ({ attrs }) => {
    const time = new Date(Number(attrs?.timestamp))
    return Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 10)
  },
  media: ({ attrs }) => `[${readAttribute(attrs, 'alt') || 'file in Jira'}]`,
  mediaInline: () => '[file in Jira]',
  paragraph: (node) => readContent(node, ''),
  heading: (node) => readContent(node, ''),
  codeBlock: (node) => readContent(node, ''),
  taskItem: (node) => `- ${readContent(node, '')}`,
  listItem: (node) => `- ${readContent(node, '\n')}`,
  bulletList: (node) => readContent(node, '\n'),
  orderedList: (node) => readContent(node, '\n'),
  taskList: (node) => readContent(node, '\n'),
  table: (node) => readContent(node, '\n'),
  tableRow: (node) => readContent(node, ' | '),
  blockquote: (node) => readContent(node, '\n\n').replaceAll(/^/gm, '> '),
}

/** A document as plain text; links keep their addresses. */
export function readDocument(node: DocumentNode): string {
  const read = Object.hasOwn(readers, node.type) ? readers[node.type] : undefined
  return read ? read(node) : readContent(node, '\n\n')
}

function readContent({ content = [] }: DocumentNode, separator: string): string {
  return content
    .map(readDocument)
    .filter((text) => separator === '' || text !== '')
    .join(separator)
}

function readAttribute(attrs: DocumentNode['attrs'], name: string): string {
  const value = attrs?.[name]
  return typeof value === 'string' ? value : ''
}
