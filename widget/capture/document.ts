import { type Freeze, force } from './freeze.ts'
import { isLate, pause } from './pause.ts'
import { fetchFile, type Shot } from './shot.ts'
import { createRewrite, readStyles } from './styles.ts'
import { escapeXml, type Notes, writeTree } from './tree.ts'

const isWebKit = /^Apple/.test(navigator.vendor)

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

/** Pixels that every browser gives a canvas: iOS stops at 4,096 × 4,096. */
const maxPixels = 2 ** 24
/** The longest side that Chromium draws. */
const maxSide = 2 ** 14

/**
 * Draws a document, through an SVG that needs nothing but itself.
 *
 * @param whole the page from its beginning to its end, as if nobody had scrolled; else what is in sight
 * @param part left, top, width and height of what is to be drawn of that; else all
 */
export async function writeDocument(
  document: Document,
  shot: Shot,
  whole: boolean,
  freeze: Freeze,
  part?: readonly number[],
): Promise<HTMLCanvasElement> {
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
  const drawFrame = (frame: Document) => writeDocument(frame, shot, false, freeze)
  for (const _ of writeTree(document, shot, styles, notes, whole, rewrite, freeze, drawFrame, xml)) await pause()
  if (isLate()) await pause()

  const open = (name: string, css: string) =>
    `<${name} style="${force(`all:initial;display:block;width:${width}px;height:${height}px;${css}`)}">`
  const view = part ?? [0, 0, width, height]
  const [, , partWidth, partHeight] = view as [number, number, number, number]
  const scale = Math.min(
    devicePixelRatio,
    maxSide / partWidth,
    maxSide / partHeight,
    Math.sqrt(maxPixels / partWidth / partHeight),
  )
  const canvas = window.document.createElement('canvas')
  canvas.width = Math.round(partWidth * scale)
  canvas.height = Math.round(partHeight * scale)
  const svg = `svg xmlns="http://www.w3.org/2000/svg" width="${canvas.width}" height="${canvas.height}" viewBox="${view.join(' ')}" style="${force(`all:initial;font-size:${fontSize};${scheme}${part ? `background:${color};` : ''}`)}"`
  const shift = whole ? '' : `margin:${-window.scrollY}px 0 0 ${-window.scrollX}px;`
  const css =
    styles.css +
    (freeze.hasBars ? '' : '*{scrollbar-width:none!important}') +
    (isWebKit ? '*{content-visibility:visible!important}' : '')
  const image = new Image()
  image.src = await shot.fill(
    `<${svg}><style>${escapeXml(css)}</style>${open('foreignObject', 'overflow:hidden;')}${open('div xmlns="http://www.w3.org/1999/xhtml"', 'overflow:hidden;')}${open('div', `position:relative;${shift}`)}${xml.join('')}</div></div></foreignObject></svg>`,
  )
  await image.decode()
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  if (isWebKit) {
    // Its first drawing only begins to decode the images within.
    await new Promise((resolve) => setTimeout(resolve, 120))
    context.clearRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0)
  }
  return canvas
}
