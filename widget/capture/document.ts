import { isLate, pause } from './pause.ts'
import { createAssets, type Shot, toDataUrl } from './shot.ts'
import { readStyles } from './styles.ts'
import { type Tree, writeTree } from './tree.ts'

type Freeze = (element: Element, pseudo?: string) => string

const nothing = 'rgba(0, 0, 0, 0)'

/** What the canvas behind the page shows: the root's background or else the body's, all over. */
function spreadBackground(document: Document, height: number, extra: Map<Element, string>): string {
  const { documentElement: root, body } = document
  const read = (element: Element) => (document.defaultView as Window).getComputedStyle(element)
  const style = read(root)
  let source = style
  let css = 'overflow:visible!important;isolation:isolate!important;'
  if (body) {
    let bodyCss = style.overflow === 'visible' ? 'overflow:visible!important;' : ''
    if (style.backgroundColor === nothing && style.backgroundImage === 'none') {
      source = read(body)
      bodyCss += 'background:none!important;'
      for (const part of ['color', 'image', 'position', 'size', 'repeat', 'origin', 'clip', 'attachment']) {
        css += `background-${part}:${source.getPropertyValue(`background-${part}`)}!important;`
      }
    }
    extra.set(body, bodyCss + (extra.get(body) ?? ''))
  }
  // A transparent border: the background goes on under it, while sizes and positions stay.
  const gap = height - root.offsetHeight - root.offsetTop
  if (gap > 0) css += `border-bottom:${gap}px solid transparent!important;`
  if (style.display === 'block') css += 'display:flow-root!important;'
  extra.set(root, css + (extra.get(root) ?? ''))
  return /^rgba|\//.test(source.backgroundColor) ? 'Canvas' : source.backgroundColor
}

function findScheme(document: Document): string {
  const window = document.defaultView as Window
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content ?? ''
  const allowed = window.getComputedStyle(document.documentElement).colorScheme.replace('normal', meta)
  const dark =
    /dark/.test(allowed) && (!/light/.test(allowed) || window.matchMedia('(prefers-color-scheme:dark)').matches)
  return dark ? 'dark' : 'light'
}

/**
 * Draws a document as an SVG that needs nothing but itself.
 *
 * @param whole the page from its beginning to its end, as if nobody had scrolled; else what is in sight
 * @returns the address of the image, as data URL
 */
export async function writeDocument(document: Document, shot: Shot, whole: boolean, freeze: Freeze): Promise<string> {
  const window = document.defaultView as Window
  const root = document.documentElement
  const style = window.getComputedStyle(root)
  const scheme = findScheme(document)
  const assets = createAssets(shot)
  const extra = new Map<Element, string>()
  const styles = await readStyles(document, assets, scheme)
  const width = whole ? root.scrollWidth : root.clientWidth
  const height = whole ? root.scrollHeight : root.clientHeight
  const isFramed = document !== shot.host.ownerDocument
  const color = spreadBackground(document, whole ? height : height + window.scrollY, extra)
  extra.set(root, `width:${style.width}!important;color-scheme:${scheme}!important;${extra.get(root)}`)

  const tree: Tree = { xml: [], css: '' }
  const surroundings = {
    shot,
    assets,
    styles,
    whole,
    extra,
    freeze,
    writeFrame: (frame: Document) => writeDocument(frame, shot, false, freeze),
  }
  for (const _ of writeTree(document, surroundings, tree)) await pause()
  if (isLate()) await pause()

  const box = (more: string) =>
    `all:initial!important;display:block!important;width:${width}px!important;height:${height}px!important;${more}`
  const css =
    styles.css + tree.css + (window.innerWidth === root.clientWidth ? '*{scrollbar-width:none!important}' : '')
  const shift = whole
    ? ''
    : `margin:${-window.scrollY}px 0 0 ${-window.scrollX}px!important;height:${root.clientHeight}px!important`
  const svg = await assets.fill(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" style="${box(`font-size:${style.fontSize}!important;color-scheme:${scheme}!important;${isFramed ? '' : `background:${color}!important`}`)}"><style>${css.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</style><foreignObject width="${width}" height="${height}" style="${box('overflow:hidden!important')}"><div xmlns="http://www.w3.org/1999/xhtml" style="${box('overflow:hidden!important')}"><div style="${box(`position:relative!important;${shift}`)}">${tree.xml.join('')}</div></div></foreignObject></svg>`,
  )
  return toDataUrl(new Blob([svg], { type: 'image/svg+xml' }))
}
