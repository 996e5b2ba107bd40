import { type Freeze, force } from './freeze.ts'
import { isLate, pause } from './pause.ts'
import { type Shot, toDataUrl } from './shot.ts'
import { createRewrite, readStyles } from './styles.ts'
import { escapeXml, type Note, writeTree } from './tree.ts'

/** Pixels that every browser gives a canvas: iOS stops at 4,096 × 4,096. */
const maxPixels = 2 ** 24
/** The longest side that Chromium draws. */
const maxSide = 2 ** 14

const isWebKit = /^Apple/.test(navigator.vendor)

/**
 * Draws a document, through an SVG that needs nothing but itself.
 *
 * @param whole the page from its beginning to its end, as if nobody had scrolled; else what is in sight
 * @param part left, top, width and height of what is to be drawn of that; else all
 */
export async function drawDocument(
  document: Document,
  shot: Shot,
  whole: boolean,
  freeze: Freeze,
  part?: readonly number[],
): Promise<HTMLCanvasElement> {
  const window = document.defaultView as Window & typeof globalThis
  const { documentElement: root, body } = document
  const rootStyle = window.getComputedStyle(root)
  const schemes = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content + rootStyle.colorScheme
  const isDark =
    /dark/.test(schemes) && (!/light/.test(schemes) || window.matchMedia('(prefers-color-scheme:dark)').matches)
  const scheme = `color-scheme:${isDark ? 'dark' : 'light'};`

  const notes = new Map<Element, Note>()
  const note = (element: Element) => {
    const known = notes.get(element) ?? { marks: '', css: '' }
    notes.set(element, known)
    return known
  }
  const rewrite = createRewrite(document, shot.hold)
  const styles = await readStyles(document, rewrite, note)

  const width = whole ? root.scrollWidth : root.clientWidth
  const height = whole ? root.scrollHeight : root.clientHeight

  // What the canvas behind the page shows: the root's background or else the body's, all over.
  const visible = 'overflow:visible;'
  let source = rootStyle
  let behind = ''
  if (body) {
    if (rootStyle.overflow === 'visible') note(body).css += visible
    if (rootStyle.backgroundImage === 'none' && rootStyle.backgroundColor === 'rgba(0, 0, 0, 0)') {
      source = window.getComputedStyle(body)
      note(body).css += 'background:none;'
    }
  }
  let { background } = source
  const { backgroundColor } = source
  if (/fixed/.test(background)) {
    behind = `background:${background.replace('fixed', 'scroll')};`
    background = 'none'
  }
  // Without a context of its own, what lies behind the body would lie behind the background. Its border is transparent:
  // the background goes on under it to the end of the window, while sizes and positions stay.
  const gap = height + (whole ? 0 : window.scrollY) - root.offsetHeight - root.offsetTop
  note(root).css +=
    `width:${rootStyle.width};${scheme}${visible}isolation:isolate;background:${background};${rootStyle.display === 'block' ? 'display:flow-root;' : ''}${gap > 0 ? `border-bottom:${gap}px solid #0000;` : ''}`

  const xml: string[] = []
  const drawFrame = (frame: Document) => drawDocument(frame, shot, false, freeze)
  for (const _ of writeTree(document, shot, styles, note, whole, rewrite, freeze, drawFrame, xml)) await pause()
  if (isLate()) await pause()

  const view = part ?? [0, 0, width, height]
  const [, , partWidth, partHeight] = view as [number, number, number, number]
  const scale = Math.min(
    devicePixelRatio,
    maxSide / partWidth,
    maxSide / partHeight,
    Math.sqrt(maxPixels / partWidth / partHeight),
  )
  const canvas = document.createElement('canvas')
  canvas.width = partWidth * scale
  canvas.height = partHeight * scale
  const open = (name: string, css: string) =>
    `<${name} width="${width}" height="${height}" style="${escapeXml(force(`all:initial;display:block;width:${width}px;height:${height}px;${css}`))}">`
  const css =
    styles.css +
    (freeze.hasBars ? '' : '*{scrollbar-width:none!important}') +
    (isWebKit ? '*{content-visibility:visible!important}' : '')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${canvas.width}" height="${canvas.height}" viewBox="${view.join(' ')}" style="${force(`all:initial;font-size:${rootStyle.fontSize};${scheme}${part ? `background:linear-gradient(${backgroundColor},${backgroundColor})Canvas;` : ''}`)}"><style>${escapeXml(css)}</style>${open('foreignObject', 'overflow:hidden;')}${open('div xmlns="http://www.w3.org/1999/xhtml"', `overflow:hidden;${behind && rewrite(behind)}`)}${open('div', `position:relative;${whole ? '' : `margin:${-window.scrollY}px 0 0 ${-window.scrollX}px;`}`)}${xml.join('')}</div></div></foreignObject></svg>`
  const image = new Image()
  // What XML forbids goes last, wherever it came from.
  const clean = (await shot.fill(svg)).replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
  image.src = await toDataUrl(new Blob([clean], { type: 'image/svg+xml' }))
  await image.decode()
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  if (isWebKit) {
    // Its first drawing only begins to decode the images within.
    await new Promise((resolve) => setTimeout(resolve, 120))
    context.drawImage(image, 0, 0)
  }
  return canvas
}
