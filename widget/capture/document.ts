import { isDarkScheme, readComputed } from './computed.ts'
import { escapeXml } from './escape-xml.ts'
import { force } from './force.ts'
import { createCanvas, loadImage } from './images.ts'
import { freezeMoment } from './moment.ts'
import { isLate, pause } from './pause.ts'
import { createRewrite } from './rewrite.ts'
import type { Note } from './scene.ts'
import { type Shot, toDataUrl } from './shot.ts'
import { readStyles } from './styles.ts'
import { writeTree } from './tree.ts'

/** Pixels that every browser gives a canvas: iOS stops at 4,096 × 4,096. */
const maxPixels = 2 ** 24
/** The longest side that Chromium draws. */
const maxSide = 2 ** 14

const isWebKit = /^Apple/.test(navigator.vendor)

/**
 * Draws a document, through an SVG that needs nothing but itself.
 *
 * @param whole the page from its beginning to its end, as if not scrolled; else the visible area
 * @param part left, top, width and height of what to draw of that; else all
 */
export async function drawDocument(
  document: Document,
  shot: Shot,
  whole: boolean,
  part?: readonly number[],
): Promise<HTMLCanvasElement> {
  const window = document.defaultView as Window // Only documents in a window are drawn.
  const { documentElement: root, body } = document
  const rootStyle = readComputed(root)
  const notes = new Map<Element, Note>()
  const note = (element: Element) =>
    notes.get(element) ?? (notes.set(element, { marks: '', css: '' }).get(element) as Note) // Set in the same expression.
  const rewrite = createRewrite(document, shot.hold)
  const styles = await readStyles(document, rewrite, note)
  let serial = 0
  const addRule = (element: Element, pseudo: string, css: string) => {
    note(element).marks += `${++serial} `
    styles.css += `[_e~="${serial}"]${pseudo}{${rewrite(css)}}`
  }

  const width = whole ? root.scrollWidth : root.clientWidth
  const height = whole ? root.scrollHeight : root.clientHeight
  const schemes = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content + rootStyle.colorScheme
  const scheme = `color-scheme:${isDarkScheme(document, schemes) ? 'dark' : 'light'};`

  // The canvas behind the page shows the root's background or else the body's, all over.
  const visible = 'overflow:visible;'
  let source = rootStyle
  if (body) {
    if (rootStyle.overflow === 'visible') note(body).css += visible
    if (rootStyle.backgroundImage === 'none' && rootStyle.backgroundColor === 'rgba(0, 0, 0, 0)') {
      source = readComputed(body)
      note(body).css += 'background:none;'
    }
  }
  const { background, backgroundColor } = source
  const isFixed = /fixed/.test(background)
  // Without a stacking context of its own, the root would paint over children of negative z-index. Its transparent border
  // lets the background continue to the end of the window, while sizes and positions stay.
  const gap = height + (whole ? 0 : window.scrollY) - root.offsetHeight - root.offsetTop
  note(root).css +=
    `width:${rootStyle.width};${scheme}${visible}isolation:isolate;background:${isFixed ? 'none' : background};${rootStyle.display === 'block' ? 'display:flow-root;' : ''}${gap > 0 ? `border-bottom:${gap}px solid #0000;` : ''}`

  const lit = await freezeMoment(document, styles, note, addRule)
  styles.css += '[_e~=f]::before,[_e~=f]::after{content:none!important}'
  const xml: string[] = []
  const drawFrame = (frame: Document) => drawDocument(frame, shot, false)
  const scene = { ...shot, document, whole, styles, lit, rewrite, note, addRule, drawFrame }
  for (const loading of writeTree(scene, xml)) await (loading ?? pause())
  if (isLate()) await pause()

  const view = part ?? [0, 0, width, height]
  const [, , partWidth, partHeight] = view as [number, number, number, number] // A part is left, top, width, height.
  const scale = Math.min(
    devicePixelRatio,
    maxSide / partWidth,
    maxSide / partHeight,
    Math.sqrt(maxPixels / partWidth / partHeight),
  )
  const [canvas, context] = createCanvas(partWidth * scale, partHeight * scale)
  const open = (name: string, css: string) =>
    `<${name} width="${width}" height="${height}" style="${escapeXml(force(`all:initial;display:block;width:${width}px;height:${height}px;${css}`))}">`
  const css =
    styles.css +
    (shot.hasBars ? '' : '*{scrollbar-width:none!important}') +
    (isWebKit ? '*{content-visibility:visible!important}' : '')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${canvas.width}" height="${canvas.height}" viewBox="${view.join(' ')}" style="${force(`all:initial;font-size:${rootStyle.fontSize};${scheme}${part ? `background:linear-gradient(${backgroundColor},${backgroundColor})Canvas;` : ''}`)}"><style>${escapeXml(css)}</style>${open('foreignObject', 'overflow:hidden;')}${open('div xmlns="http://www.w3.org/1999/xhtml"', `overflow:hidden;${isFixed ? rewrite(`background:${background.replace('fixed', 'scroll')};`) : ''}`)}${open('div', `position:relative;${whole ? '' : `margin:${-window.scrollY}px 0 0 ${-window.scrollX}px;`}`)}${xml.join('')}</div></div></foreignObject></svg>`
  // Last, since every part may contain characters that XML forbids.
  const clean = (await shot.fill(svg)).replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
  const image = await loadImage(await toDataUrl(new Blob([clean], { type: 'image/svg+xml' })))
  context.drawImage(image, 0, 0)
  if (isWebKit) {
    // The first drawing only begins to decode the images within.
    await new Promise((resolve) => setTimeout(resolve, 120))
    context.drawImage(image, 0, 0)
  }
  return canvas
}
