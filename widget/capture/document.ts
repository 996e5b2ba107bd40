import { type Freeze, force } from './freeze.ts'
import { isLate, pause } from './pause.ts'
import { fetchFile, type Shot } from './shot.ts'
import { createRewrite, readStyles } from './styles.ts'
import { escapeXml, type Notes, writeTree } from './tree.ts'

/**
 * What the canvas behind the page shows: the root's background or else the body's, all over.
 *
 * @returns declarations of root and body, and the color beyond them
 */
function spreadBackground({ documentElement: root, body }: Document, height: number, read: typeof getComputedStyle) {
  const style = read(root)
  const visible = 'overflow:visible;'
  let source = style
  // Without a context of its own, what lies behind the body would lie behind the background.
  let rootCss = `${visible}isolation:isolate;`
  let bodyCss = style.overflow === 'visible' ? visible : ''
  if (body && style.backgroundImage === 'none' && style.backgroundColor === 'rgba(0, 0, 0, 0)') {
    source = read(body)
    rootCss += `background:${source.background};`
    bodyCss += 'background:none;'
  }
  // A transparent border: the background goes on under it, while sizes and positions stay.
  const gap = height - root.offsetHeight - root.offsetTop
  if (gap > 0) rootCss += `border-bottom:${gap}px solid #0000;`
  if (style.display === 'block') rootCss += 'display:flow-root;'
  return [rootCss, bodyCss, /^rgba|\//.test(source.backgroundColor) ? 'Canvas' : source.backgroundColor] as const
}

/**
 * Draws a document as an SVG that needs nothing but itself.
 *
 * @param whole the page from its beginning to its end, as if nobody had scrolled; else what is in sight
 * @param view size of the image and the part of the document that it shows, as attributes; else all of it
 * @returns the address of the image, as data URL
 */
export async function writeDocument(
  document: Document,
  shot: Shot,
  whole: boolean,
  freeze: Freeze,
  view?: string,
): Promise<string> {
  const window = document.defaultView as Window & typeof globalThis
  const { documentElement: root, body } = document
  const read = window.getComputedStyle
  const { width: rootWidth, fontSize, colorScheme } = read(root)
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')
  const schemes = colorScheme === 'normal' ? meta?.content : colorScheme
  const isDark =
    /dark/.test(schemes ?? '') &&
    (!/light/.test(schemes ?? '') || window.matchMedia('(prefers-color-scheme:dark)').matches)
  const scheme = `color-scheme:${isDark ? 'dark' : 'light'};`

  const notes: Notes = new Map()
  const note = (element: Element, css: string) => {
    const { marks = '', css: old = '' } = notes.get(element) ?? {}
    notes.set(element, { marks, css: old + css })
  }
  const rewrite = createRewrite(document, isDark ? 'dark' : 'light', (address) =>
    shot.hold(() => fetchFile(address), undefined, address),
  )
  const styles = await readStyles(document, rewrite, note)

  const { clientWidth, clientHeight, scrollWidth, scrollHeight } = root
  const width = whole ? scrollWidth : clientWidth
  const height = whole ? scrollHeight : clientHeight
  const [rootCss, bodyCss, color] = spreadBackground(document, whole ? height : height + window.scrollY, read)
  note(root, `width:${rootWidth};${scheme}${rootCss}`)
  if (body) note(body, bodyCss)

  const xml: string[] = []
  const writeFrame = (frame: Document) => writeDocument(frame, shot, false, freeze)
  for (const _ of writeTree(document, shot, styles, notes, whole, rewrite, freeze, writeFrame, xml)) await pause()
  if (isLate()) await pause()

  const open = (name: string, css: string) =>
    `<${name} style="${force(`all:initial;display:block;width:${width}px;height:${height}px;${css}`)}">`
  const svg = `svg xmlns="http://www.w3.org/2000/svg" ${view ?? `width="${width}" height="${height}"`} style="${force(`all:initial;font-size:${fontSize};${scheme}${view ? `background:${color};` : ''}`)}"`
  const shift = whole ? '' : `margin:${-window.scrollY}px 0 0 ${-window.scrollX}px;`
  const css = styles.css + (window.innerWidth === clientWidth ? '*{scrollbar-width:none!important}' : '')
  return shot.fill(
    `<${svg}><style>${escapeXml(css)}</style>${open('foreignObject', 'overflow:hidden;')}${open('div xmlns="http://www.w3.org/1999/xhtml"', 'overflow:hidden;')}${open('div', `position:relative;${shift}`)}${xml.join('')}</div></div></foreignObject></svg>`,
  )
}
