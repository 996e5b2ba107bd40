import { join, resolve } from 'node:path'
import { renderAsync } from '@resvg/resvg-js'
import { type Html, html } from '#server/platform/html.ts'

const fonts = resolve(import.meta.dirname, '../../../web/fonts')
const size = { width: 1200, height: 630 }
/** About what fits beside the margins at each size, in characters of mean width. */
const title = { size: 68, lineHeight: 80, columns: 30, lines: 4 }
const text = { size: 30, lineHeight: 44, columns: 70, lines: 3 }

/**
 * Draws what previews of links show of a page: its title and what it is about.
 *
 * @returns a PNG of 1200 × 630 pixels, as Open Graph readers expect it.
 */
export async function drawPicture(page: { title: string; description: string }): Promise<Buffer> {
  const image = await renderAsync(writeSvg(page), {
    font: {
      fontFiles: ['inter-regular.ttf', 'inter-semibold.ttf'].map((name) => join(fonts, name)),
      loadSystemFonts: false,
      defaultFontFamily: 'Inter',
    },
  })
  return image.asPng()
}

function writeSvg(page: { title: string; description: string }): string {
  const titleLines = breakLines(page.title, title)
  const textLines = breakLines(page.description, text)
  // At the bottom, with the mark at the top.
  const textTop = size.height - 60 - (textLines.length - 1) * text.lineHeight
  const titleTop = textTop - 72 - (titleLines.length - 1) * title.lineHeight
  const write = (lines: readonly string[], top: number, { lineHeight }: { lineHeight: number }, look: Html) =>
    lines.map((line, index) => html`<text x="80" y="${top + index * lineHeight}" ${look}>${line}</text>`)
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="Inter">
    <rect width="100%" height="100%" fill="#fafbfb"/>
    <rect width="100%" height="12" fill="#00636e"/>
    <g transform="translate(80 84) scale(3)">
      <rect width="24" height="24" rx="6" fill="#00636e"/>
      <g stroke="#fff" fill="none" stroke-width="2" stroke-linecap="round">
        <path d="M11.2 8.6a4.4 4.4 0 0 1 0 6.8"/><path d="M14.2 5.6a8.4 8.4 0 0 1 0 12.8"/>
      </g>
      <circle cx="7.4" cy="12" r="2" fill="#fff"/>
    </g>
    <text x="176" y="134" font-size="40" font-weight="600" fill="#14161a">Earshot</text>
    ${write(titleLines, titleTop, title, html`font-size="${title.size}" font-weight="600" fill="#14161a"`)}
    ${write(textLines, textTop, text, html`font-size="${text.size}" fill="#5b606e"`)}
  </svg>`.markup
}

/** Breaks words into lines; what does not fit ends in an ellipsis. */
function breakLines(words: string, { columns, lines: most }: { columns: number; lines: number }): string[] {
  const lines: string[] = []
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word.length > columns ? `${word.slice(0, columns - 1)}…` : word)
  }
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), `${lines[most - 1]?.slice(0, columns - 1)}…`]
}
