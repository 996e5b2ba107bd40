/**
 * Text of a stranger as Markdown that shows exactly this text: nothing in it becomes a heading, a link, a picture, HTML,
 * a formula, a mention of a person or a reference to an issue. The exception is a bare email address, which some
 * renderers link to itself.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      // Order marks could show a text backwards, and what follows it, too.
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\\`*_{}[\]<>()!|~&$]/g, '\\$&')
      // Only at a line's start: a heading, a list, a rule or an underline of one.
      .replace(/^(\s*)([#+=-])/gm, '$1\\$2')
      .replace(/^(\s*\d+)\./gm, '$1\\.')
      // Four spaces would be code, in which escapes are shown as they are.
      .replace(/^[^\S\n]+/gm, (space) => '\u00a0'.repeat(space.length))
      // Addresses that renderers would link by themselves.
      .replace(/:(?=\/\/)/g, '\\:')
      .replace(/\bwww\./gi, (start) => start.replace('.', '\\.'))
      // Looked for in what is shown, after escapes: an invisible word joiner keeps them apart.
      .replace(/(?<!\w)@(?=\w)/g, '@\u2060')
      .replace(/#(?=\d)/g, '#\u2060')
  )
}

/** Text of a stranger as a quotation that keeps its line breaks; blank text is empty. */
export function quoteMarkdown(message: string): string {
  if (message.trim() === '') return ''
  const lines = escapeMarkdown(message.trim().replace(/\r\n?|[\u2028\u2029]/g, '\n')).split('\n')
  // Two spaces keep the visitor's line breaks.
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}  `)).join('\n')
}

/** A text on one line. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Text as code on one line, whatever backticks it has. */
export function writeCode(text: string): string {
  const line = joinLines(text)
  const fence = '`'.repeat(countBackticks(line) + 1)
  return `${fence} ${line} ${fence}`
}

/** Lines as a block of code, whatever backticks they have. */
export function writeCodeBlock(lines: readonly string[]): string {
  const text = lines.join('\n').replace(/\r\n?|[\u2028\u2029]/g, '\n')
  const fence = '`'.repeat(Math.max(3, countBackticks(text) + 1))
  return `${fence}text\n${text}\n${fence}`
}

/** The longest run of them. */
function countBackticks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
