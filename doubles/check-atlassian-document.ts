/* What Jira takes as a text: the nodes of the Atlassian Document Format that its documentation shows. */

interface Node {
  readonly type: string
  readonly text?: unknown
  readonly attrs?: Readonly<Record<string, unknown>>
  readonly marks?: readonly { type: string; attrs?: Readonly<Record<string, unknown>> }[]
  readonly content?: readonly Node[]
}

const inline = ['text', 'hardBreak']
const children: Readonly<Record<string, readonly string[]>> = {
  doc: ['paragraph', 'heading', 'bulletList', 'blockquote', 'codeBlock'],
  paragraph: inline,
  heading: inline,
  bulletList: ['listItem'],
  listItem: ['paragraph'],
  blockquote: ['paragraph'],
  codeBlock: ['text'],
}
/** Nodes that may not be empty. */
const filled = new Set(['bulletList', 'listItem', 'blockquote'])
const maxCharacters = 32_767

/** Why Jira would refuse a document; undefined: it takes it. */
export function checkDocument(document: unknown): string | undefined {
  // Each part is checked below.
  const node = document as Node & { version?: unknown }
  if (node?.type !== 'doc' || node.version !== 1) return 'INVALID_INPUT: no document of version 1'
  if (readText(node).length > maxCharacters) return 'CONTENT_LIMIT_EXCEEDED'
  return checkContent(node)
}

function checkContent({ type, content = [] }: Node): string | undefined {
  if (filled.has(type) && content.length === 0) return `INVALID_INPUT: ${type} is empty`
  for (const child of content) {
    if (!children[type]?.includes(child.type)) return `INVALID_INPUT: ${child.type} in ${type}`
    const wrong = child.type === 'text' ? checkText(child, type) : (checkLevel(child) ?? checkContent(child))
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function checkLevel({ type, attrs }: Node): string | undefined {
  if (type !== 'heading') return undefined
  const level = Number(attrs?.level)
  return level >= 1 && level <= 6 ? undefined : 'INVALID_INPUT: heading without a level'
}

function checkText({ text, marks = [] }: Node, parent: string): string | undefined {
  if (typeof text !== 'string' || text === '') return 'INVALID_INPUT: a text without characters'
  if (parent === 'codeBlock' && marks.length > 0) return 'INVALID_INPUT: marks in code'
  const types = marks.map(({ type }) => type)
  if (types.includes('code') && types.includes('strong')) return 'INVALID_INPUT: code takes no strong'
  for (const { type, attrs } of marks) {
    if (!['strong', 'code', 'link'].includes(type)) return `INVALID_INPUT: the mark ${type}`
    if (type === 'link' && !URL.canParse(String(attrs?.href))) return 'INVALID_INPUT: a link without an address'
  }
  return undefined
}

/** The text of a document, for tests. */
export function readText(document: unknown): string {
  // A document that was accepted.
  const { type, text, content = [] } = document as Node
  if (typeof text === 'string') return text
  if (type === 'hardBreak') return '\n'
  return content.map(readText).join(type === 'doc' ? '\n' : '')
}
