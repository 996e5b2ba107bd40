/* Limits of trackers: bodies are Markdown as `writeIssue` and `markComment` write it. */

/**
 * Shortens a text in Markdown to a tracker's limit. Its longest paragraphs give way; the last one, the link back, stays.
 *
 * @param maxLength in UTF-16 units
 */
export function fitBody(body: string, maxLength: number): string {
  const blocks = splitBlocks(body)
  for (;;) {
    const excess = blocks.join('\n\n').length - maxLength
    if (excess <= 0) return blocks.join('\n\n')
    const longest = Math.max(...blocks.slice(0, -1).map(({ length }) => length))
    const at = blocks.findIndex(({ length }, index) => length === longest && index < blocks.length - 1)
    const block = blocks[at]
    if (block === undefined) return body.slice(0, maxLength)
    const short = shorten(block, block.length - excess)
    blocks.splice(at, 1, ...(short === '' ? [] : [short]))
  }
}

/** Paragraphs, quotations, lists, and blocks of code, which may have blank lines. */
export function splitBlocks(markdown: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence: string | undefined
  for (const line of markdown.split('\n')) {
    if (line === '' && fence === undefined) {
      if (lines.length > 0) blocks.push(lines.join('\n'))
      lines = []
      continue
    }
    if (lines.length === 0) fence = /^`{3,}/.exec(line)?.[0]
    else if (line === fence) fence = undefined
    lines.push(line)
  }
  return lines.length > 0 ? [...blocks, lines.join('\n')] : blocks
}

/** Cut lines of a list or of links would no longer be escaped: they go as a whole. */
function shorten(block: string, maxLength: number): string {
  const [fence] = /^`{3,}/.exec(block) ?? []
  if (fence !== undefined) {
    const cut = cutText(block.slice(0, -fence.length), maxLength - fence.length - 1)
    return cut.includes('\n') ? `${cut}\n${fence}` : ''
  }
  if (!/^(?:- |!?\[)/.test(block)) return cutText(block, maxLength)
  const lines = block.split('\n')
  while (lines.join('\n').length > maxLength) lines.pop()
  return lines.join('\n')
}

/** Never within a character or an escape. */
function cutText(text: string, maxLength: number): string {
  if (maxLength < 2) return ''
  const start = text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')
  const [slashes = ''] = /\\*$/.exec(start) ?? []
  return `${slashes.length % 2 === 1 ? start.slice(0, -1) : start}…`
}
