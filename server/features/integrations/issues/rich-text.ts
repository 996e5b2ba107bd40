import { splitBlocks } from './fit-body.ts'

/* HTML for trackers that know no Markdown. */

/** How a tracker writes what others write in different ways. */
export interface HtmlStyle {
  readonly lineBreak: string
  readonly heading: string
  /** The element of a paragraph; undefined: a blank line ends it. */
  readonly paragraph?: string
}

/**
 * Markdown as `writeIssue` and `markComment` write it, as HTML that is also well-formed XML. Pictures become links: trackers
 * show those of their own alone.
 */
export function toHtml(markdown: string, style: HtmlStyle): string {
  const blocks = splitBlocks(stripForbidden(markdown)).map((block) => writeBlock(block, style))
  return blocks.join(style.paragraph === undefined ? '\n' : '')
}

function writeBlock(block: string, { lineBreak, heading, paragraph }: HtmlStyle): string {
  const lines = block.split('\n')
  const [first = ''] = lines
  if (first.startsWith('```')) return `<pre>${escapeHtml(lines.slice(1, -1).join('\n'))}</pre>`
  if (first.startsWith('### ')) return `<${heading}>${writeInline(first.slice(4))}</${heading}>`
  if (lines.every((line) => line.startsWith('- '))) {
    return `<ul>${lines.map((line) => `<li>${writeInline(line.slice(2))}</li>`).join('')}</ul>`
  }
  if (lines.every((line) => line.startsWith('>'))) {
    const quoted = lines.map((line) => writeInline(line.replace(/^> ?/, '').trimEnd()))
    return `<blockquote>${quoted.join(lineBreak)}</blockquote>`
  }
  const text = lines.map((line) => writeInline(line)).join(lineBreak)
  return paragraph === undefined ? `${text}\n` : `<${paragraph}>${text}</${paragraph}>`
}

const inline = /\\([^\w\s])|(`+) (.+?) \2(?!`)|\*\*(.+?)\*\*|!?\[((?:\\.|[^\]\\])*)\]\((https?:\/\/[^\s)]+)\)/g

function writeInline(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(inline)) {
    const [all, escaped, , code, strong, label, url] = match
    html += escapeHtml(text.slice(end, match.index))
    if (escaped !== undefined) html += escapeHtml(escaped)
    else if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`
    else if (strong !== undefined) html += `<strong>${writeInline(strong)}</strong>`
    else html += `<a href="${escapeHtml(url ?? '')}">${writeInline(label ?? '')}</a>`
    end = match.index + all.length
  }
  return html + escapeHtml(text.slice(end))
}

/** HTML of a tracker as text: links as in Markdown, everything else without its markup. */
export function readHtml(html: string): string {
  return html
    .replace(/\r\n?/g, '\n')
    .replace(/<a\b[^>]*?\shref="([^"]*)"[^>]*>(.*?)<\/a>/gis, (_, url: string, label: string) =>
      label === url ? url : `[${label}](${url})`,
    )
    .replace(/<(?:br\s*\/?|\/p|\/div|\/li|\/h\d|\/pre|\/blockquote)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|quot|apos|nbsp|amp));/gi, readEntity)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' }

function readEntity(all: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? all
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** XML has no way to write these. */
function stripForbidden(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
