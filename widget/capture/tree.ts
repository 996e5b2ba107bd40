import { type Freeze, force } from './freeze.ts'
import { isMasked } from './masks.ts'
import { isLate } from './pause.ts'
import { blank, fetchFile, type Shot } from './shot.ts'
import type { Styles } from './styles.ts'

/** What is known of an element besides its attributes: states and numbers that selectors name, and more declarations. */
export interface Note {
  marks: string
  css: string
}

interface Scroll {
  readonly left: number
  readonly top: number
  /** The contents have been moved up already. */
  readonly isFlow: boolean
}

type Pixels = HTMLImageElement | HTMLCanvasElement | HTMLVideoElement

/** Attributes that XML can hold, without what would load something or say what the present state says better. */
const kept = /^(?!on|src|_|xmlns|style$|value$|checked$|selected$|popover|loading)[a-z][\w.-]*$/i
/** Without a place on the screen, but counted by selectors: they stay as empty elements. */
const silent = /^(script|style|link|template|noscript|head)$/
const isGecko = 'mozInnerScreenX' in globalThis
const replaced = /^(canvas|video|iframe|object|embed)$/

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Writes a document as XML, as it is now: shadow roots flat and independent of style sheets, typed values as
 * attributes, scrolled boxes scrolled. Reads only, and reads the tree itself rather than a clone, because cloning runs
 * the page's custom elements and loads its images again. Yields when it takes long. Rules for pseudo-elements are added
 * to the styles.
 */
export function* writeTree(
  document: Document,
  { host, mask, hold }: Shot,
  styles: Styles,
  note: (element: Element) => Note,
  whole: boolean,
  rewrite: (declarations: string) => string,
  freeze: Freeze,
  drawFrame: (frame: Document) => Promise<HTMLCanvasElement>,
  xml: string[],
): Generator<void> {
  const window = document.defaultView as Window & typeof globalThis
  const read = window.getComputedStyle
  const { documentElement, scrollingElement } = document
  const topLayer = new Set<Element>()
  let serial = 0

  const addRule = (element: Element, pseudo: string, css: string) => {
    note(element).marks += `${++serial} `
    styles.css += `[_e~="${serial}"]${pseudo}{${rewrite(css)}}`
  }
  const findTopLayer = (tree: Document | ShadowRoot) => {
    for (const element of tree.querySelectorAll(':is(:modal,:popover-open,:fullscreen)')) {
      if (element !== host) topLayer.add(element)
    }
  }
  const hasContent = (element: Element, pseudo: string) => !/^no/.test(read(element, pseudo).content)

  /** Takes the pixels now, encodes them later. Rejects then when they are of another origin, or there are none. */
  const copy = (source: Pixels, width: number, height: number) => {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    canvas.getContext('2d')?.drawImage(source, 0, 0, width, height)
    return () =>
      new Promise<Blob>((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject()))
      })
  }

  /** Address for the place of an image, canvas, film or frame. */
  const readPixels = (element: Element, name: string): string => {
    const { x, y, right, bottom } = element.getBoundingClientRect()
    if (!whole && (right <= 0 || bottom <= 0 || x >= window.innerWidth || y >= window.innerHeight)) return blank
    const { currentSrc, src, complete, naturalWidth, naturalHeight, width, height } = element as HTMLImageElement
    const pixels = element as Pixels
    if (name === 'canvas') return hold(element, name, copy(pixels, width, height))
    if (name === 'video') {
      const { poster, currentTime, mediaKeys, videoWidth, videoHeight } = element as HTMLVideoElement
      if (poster && !currentTime) return hold(poster, name)
      // A protected film would show black.
      return hold(element, name, copy(pixels, mediaKeys ? 0 : videoWidth, videoHeight))
    }
    if (replaced.test(name)) {
      return hold(element, 'frames', async () => {
        const frame = await drawFrame((element as HTMLIFrameElement).contentDocument as Document)
        return copy(frame, frame.width, frame.height)()
      })
    }
    const address = currentSrc || src
    // What is broken on the page is broken in the picture.
    if (complete && !naturalWidth) return 'data:,'
    if (/^data/.test(address)) return escapeXml(address)
    // The element itself has pixels even where its address is of no use any more (blob:) or may not be asked.
    return hold(address, 'images', () => fetchFile(address).catch(() => copy(pixels, naturalWidth, naturalHeight)()))
  }

  const open = (name: string, attributes: string, style: string) => {
    xml.push(`<${name}${attributes}${style && ` style="${escapeXml(style)}"`}>`)
  }

  /** Where a child of a scrolled box goes. Real shifts, as far as can be, so that what is sticky still sticks. */
  const shiftChild = (child: Element, { left, top, isFlow }: Scroll): string => {
    const { position, display, width, marginLeft } = read(child)
    if (position === 'fixed') return ''
    if (position === 'absolute' || !isFlow) {
      return `translate:${-left}px ${-top}px;`
    }
    if (/^inline/.test(display)) return `position:relative;left:${-left}px;`
    return left ? `margin-left:calc(${marginLeft} - ${left}px);width:${width};` : ''
  }

  /**
   * What Firefox would not draw in its place: a background that is fixed to the window. A box of the window's size has it
   * instead, behind the contents, and shows it where the element is.
   */
  const writeFixed = (element: Element): string => {
    const { background, backgroundAttachment, borderRadius } = read(element)
    if (!/fixed/.test(backgroundAttachment)) return ''
    const { x, y, width, height } = element.getBoundingClientRect()
    const left = whole ? x + window.scrollX : x
    const top = whole ? y + window.scrollY : y
    addRule(
      element,
      hasContent(element, '::before') ? '::after' : '::before',
      force(
        `all:initial;content:"";position:fixed;inset:0;z-index:-1;background:${background.replace(/fixed/g, 'scroll')};clip-path:inset(${top}px calc(100% - ${left + width}px) calc(100% - ${top + height}px) ${left}px round ${borderRadius});`,
      ),
    )
    return 'background-image:none;isolation:isolate;'
  }

  function* write(node: Node, isFrozen: boolean, isHidden: boolean, scroll?: Scroll): Generator<void> {
    if (node.nodeType === 3) {
      const { data } = node as Text
      // As many letters as there were, so that lines break as they did.
      const text = escapeXml(isHidden ? data.replace(/\S/g, 'x') : data)
      if (scroll && text.trim()) {
        open('_', '', `all:unset;position:relative;left:${-scroll.left}px;top:${scroll.isFlow ? 0 : -scroll.top}px`)
        xml.push(text, '</_>')
      } else xml.push(text)
    }
    if (node.nodeType !== 1 || node === host) return
    if (isLate()) yield
    const element = node as HTMLInputElement
    const { namespaceURI, shadowRoot, localName, scrollTop: top, scrollLeft: left, value, type } = element
    let name = localName.replace(/[^\w.-]/g, '_')
    if (silent.test(name) || topLayer.has(element)) {
      // What is masked here must not come up there.
      if (isHidden) topLayer.delete(element)
      open(name, '', 'display:none!important')
      xml.push(`</${name}>`)
      return
    }
    if (shadowRoot) {
      findTopLayer(shadowRoot)
      isFrozen = true
    }
    const isHtml = !/svg$/.test(namespaceURI ?? '')
    let attributes = namespaceURI === (node.parentNode as Element).namespaceURI ? '' : ` xmlns="${namespaceURI}"`
    const noted = note(element)
    let { css } = noted
    let content: Iterable<Node> = (shadowRoot ?? element).childNodes
    let inner: Scroll | undefined
    if (scroll) css += shiftChild(element, scroll)
    // Cells paint the background of a row, so they stay.
    if (isHidden && !/^t/.test(name)) css += 'visibility:hidden;'
    else if (isHidden || isMasked(element, mask)) {
      isHidden = true
      css += 'background:#000;color:#000;-webkit-text-fill-color:#000;'
    }
    const isImage = isHtml && (name === 'img' || type === 'image')
    const isReplaced = isHtml && replaced.test(name)
    // The text of a real one would stand at its beginning.
    const isScrolledText = localName === 'textarea' && top
    if (isImage) {
      const { width, height } = read(element)
      css += `width:${width};height:${height};`
    }
    if (isImage || isReplaced) attributes += ` src="${isHidden ? blank : readPixels(element, name)}"`
    if (isReplaced) {
      name = 'img'
      content = []
    } else {
      for (const { name: longName, value } of element.attributes) {
        const key = longName.replace('xlink:', '')
        if (!kept.test(key) || (isHidden && !/^(class|id|type|dir)$/.test(key))) continue
        const isFile = key === 'href' && /image/i.test(name) && !/^(#|data)/.test(value)
        const address = isFile && new URL(value, document.baseURI).href
        attributes += ` ${key}="${address ? hold(address, 'images') : escapeXml(value)}"`
      }
    }
    if (name === 'slot' && isFrozen) {
      const assigned = (node as HTMLSlotElement).assignedNodes()
      if (assigned.length) content = assigned
    }
    if (isHtml && !isHidden) {
      if (name === 'input' && type !== 'file') attributes += ` value="${escapeXml(value)}"`
      for (const state of ['checked', 'selected'] as const) {
        if ((element as HTMLInputElement & { selected?: boolean })[state]) attributes += ` ${state}=""`
      }
    }
    if (localName === 'textarea') {
      content = [document.createTextNode(value)]
      if (isScrolledText) name = '_'
    }
    if ((top || left) && element !== scrollingElement) {
      const isFlow =
        /block|flow|list|cell/.test(read(element).display) && !isScrolledText && !hasContent(element, '::before')
      inner = { left, top, isFlow }
      if (isFlow) addRule(element, '::before', force(`all:initial;content:"";display:block;margin-bottom:${-top}px;`))
    }
    if (isGecko && !isHidden && !/background:/.test(noted.css) && styles.fixed.has(element)) {
      css += writeFixed(element)
    }
    const isFree = isFrozen || isReplaced || isScrolledText
    const own = isFree ? freeze(element) : `${element.getAttribute('style') ?? ''};`
    if (isFrozen) {
      noted.marks += 'f '
      for (const pseudo of ['::before', '::after']) {
        if (!isHidden && hasContent(element, pseudo)) addRule(element, pseudo, freeze(element, pseudo))
      }
    }
    if (noted.marks) attributes += ` _e="${noted.marks}"`
    open(name, attributes, own + css === ';' ? '' : rewrite(own) + force(css))
    for (const child of content) yield* write(child, isFrozen, isHidden, inner)
    if (element === (documentElement as Element)) {
      for (const each of topLayer) {
        topLayer.delete(each)
        open('_', '', rewrite(freeze(each, '::backdrop')))
        xml.push('</_>')
        yield* write(each, true, false)
      }
    }
    xml.push(`</${name}>`)
  }

  findTopLayer(document)
  for (const { effect } of document.getAnimations()) {
    const { target, pseudoElement } = effect as KeyframeEffect
    if (!target) continue
    const names = new Set(styles.animated)
    for (const frame of (effect as KeyframeEffect).getKeyframes()) {
      for (const key in frame) names.add(key.replace(/[A-Z]/g, '-$&').toLowerCase())
    }
    let css = ''
    for (const name of names) {
      const value = read(target, pseudoElement).getPropertyValue(name)
      if (value) css += `${name}:${value};`
    }
    addRule(target, pseudoElement ?? '', force(css))
  }
  for (const state of styles.states) {
    try {
      for (const element of document.querySelectorAll(`:${state}`)) note(element).marks += `${state} `
    } catch {}
  }
  styles.css += '[_e~=f]::before,[_e~=f]::after{content:none!important}'
  yield* write(documentElement, false, false)
}
