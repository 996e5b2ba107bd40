import { isMasked } from './masks.ts'
import { isLate } from './pause.ts'
import { type Assets, blank, encode, fetchFile, type Shot } from './shot.ts'
import type { Styles } from './styles.ts'

/** What a document's tree needs besides itself. */
export interface Surroundings {
  readonly shot: Shot
  readonly assets: Assets
  readonly styles: Styles
  /** Also what is out of sight is drawn. */
  readonly whole: boolean
  /** More declarations for elements of this document. */
  readonly extra: Map<Element, string>
  freeze(element: Element, pseudo?: string): string
  /** Draws the document of a frame, as data URL. */
  writeFrame(frame: Document): Promise<string>
}

export interface Tree {
  /** XML of the document, in pieces. */
  xml: string[]
  /** Rules for pseudo-elements. */
  css: string
}

interface Scroll {
  readonly left: number
  readonly top: number
  /** The contents have been moved up already. */
  readonly isFlow: boolean
}

/** Attributes that XML can hold, without what would load something or say what the present state says better. */
const kept = /^(?!on|src|_e$|xmlns|style$|value$|checked$|selected$|popover|poster|loading)[a-z_][\w.-]*$/i
/** Without a place on the screen, but counted by selectors: they stay as empty elements. */
const silent = /^(script|style|link|template|noscript|meta|title|base|head|source|track)$/
const onTop = ':is(:modal,:popover-open,:fullscreen)'

const escape = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids.
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF&<>"]/g, (sign) =>
    sign < ' ' || sign > '~' ? '' : `&#${sign.charCodeAt(0)};`,
  )

/**
 * Writes a document as XML, as it is now: shadow roots flat and independent of style sheets, typed values as
 * attributes, scrolled boxes scrolled. Reads only, and reads the tree itself rather than a clone, because cloning runs
 * the page's custom elements and loads its images again. Yields when it takes long.
 */
export function* writeTree(document: Document, surroundings: Surroundings, tree: Tree): Generator<void> {
  const { shot, assets, styles, whole, extra, freeze, writeFrame } = surroundings
  const window = document.defaultView as Window & typeof globalThis
  const { xml } = tree
  const { documentElement, scrollingElement } = document
  const marks = new Map<Element, string>()
  const masked = new Set<Element>()
  const onTopNow = new Set<Element>()
  let serial = 0

  const mark = (element: Element, state: string | number) => {
    marks.set(element, `${marks.get(element) ?? ''}${state} `)
    return `[_e~="${state}"]`
  }

  const enter = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll(onTop)) if (element !== shot.host) onTopNow.add(element)
  }

  const hasContent = (element: Element, pseudo: string) => !/^no/.test(window.getComputedStyle(element, pseudo).content)

  const isVisible = (element: Element) => {
    const box = element.getBoundingClientRect()
    return (
      box.width * box.height > 0 &&
      (whole || (box.right > 0 && box.bottom > 0 && box.left < window.innerWidth && box.top < window.innerHeight))
    )
  }

  const copy = async (
    source: HTMLImageElement | HTMLCanvasElement | HTMLVideoElement,
    width: number,
    height: number,
  ) => {
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    canvas.getContext('2d')?.drawImage(source, 0, 0, width, height)
    return encode(canvas)
  }

  /** Address for an image's place in the picture. */
  const readImage = (image: HTMLImageElement): string => {
    const address = image.currentSrc || image.src
    // What is broken on the page is broken in the picture.
    if (image.complete && !image.naturalWidth) return 'data:,'
    if (!isVisible(image)) return blank
    if (address.startsWith('data:')) return escape(address)
    return assets.holdFile(address, 'images', () =>
      // The element itself has pixels even where its address is of no use any more (blob:) or may not be asked.
      fetchFile(address).catch(() => copy(image, image.naturalWidth, image.naturalHeight)),
    )
  }

  /** Canvases, films and frames become images. */
  const readReplaced = (element: Element, name: string): string => {
    if (!isVisible(element)) return blank
    if (name === 'canvas') {
      const canvas = element as HTMLCanvasElement
      return assets.hold(copy(canvas, canvas.width, canvas.height), 'canvas')
    }
    if (name === 'video') {
      const video = element as HTMLVideoElement
      const { videoWidth, videoHeight } = video
      if (video.poster && !video.currentTime && !video.played.length) return assets.holdFile(video.poster, 'video')
      if (video.readyState > 1 && !video.mediaKeys) return assets.hold(copy(video, videoWidth, videoHeight), 'video')
      if (video.currentSrc) shot.missing.add('video')
      return blank
    }
    const frame = (element as HTMLIFrameElement).contentDocument
    if (frame?.documentElement) return assets.hold(writeFrame(frame), 'frames')
    shot.missing.add('frames')
    return blank
  }

  const open = (name: string, attributes: string, style: string) => {
    xml.push(`<${name}${attributes}${style && ` style="${escape(style)}"`}>`)
  }

  /** A black box in the element's place and size, without its content. False: its children are to be masked instead. */
  const writeMasked = (element: HTMLElement, name: string, style: string): boolean => {
    const { display, width, height } = window.getComputedStyle(element)
    if (/^(contents|table-(row|header|footer|column))/.test(display)) {
      for (const child of element.children) masked.add(child)
      return false
    }
    const attributes = ` class="${escape(element.getAttribute('class') ?? '')}" id="${escape(element.id)}"`
    const black = `${style};background:#000!important;color:#0000!important;`
    if (display === 'inline' && width === 'auto') {
      open(name, attributes, black)
      for (const box of element.getClientRects()) {
        const size = `width:${box.width}px;height:${box.height}px`
        open('_', '', `all:unset;display:inline-block;vertical-align:text-bottom;${size}`)
        xml.push('</_>')
      }
    } else {
      if (/^(img|input|select|textarea|video|canvas|iframe|object|embed)$/.test(name)) name = '_'
      open(
        name,
        attributes,
        `${freeze(element)};${black}content:none!important;width:${width}!important;height:${height}!important`,
      )
    }
    xml.push(`</${name}>`)
    return true
  }

  /** Where a child of a scrolled box goes. Real shifts, as far as can be, so that what is sticky still sticks. */
  const shiftChild = (child: Element, { left, top, isFlow }: Scroll): string => {
    const { position, display, width, marginLeft, translate } = window.getComputedStyle(child)
    if (position === 'fixed') return ''
    if (position === 'absolute' || !isFlow) {
      const [x, y = '0px', z = ''] = translate === 'none' ? ['0px'] : translate.split(' ')
      return `translate:calc(${x} - ${left}px) calc(${y} - ${top}px) ${z}!important`
    }
    return display.startsWith('inline')
      ? `position:relative!important;left:${-left}px!important`
      : left
        ? `margin-left:calc(${marginLeft} - ${left}px)!important;width:${width}!important`
        : ''
  }

  function* write(node: Node, namespace: string | null, frozen: boolean, scroll?: Scroll): Generator<void> {
    if (node.nodeType === 3) {
      const text = escape((node as Text).data)
      xml.push(
        scroll && text.trim()
          ? `<_ style="all:unset;position:relative;left:${-scroll.left}px;top:${scroll.isFlow ? 0 : -scroll.top}px">${text}</_>`
          : text,
      )
    }
    if (node.nodeType !== 1 || node === shot.host) return
    if (isLate()) yield
    const element = node as HTMLElement
    const { namespaceURI, shadowRoot } = element
    let name = element.localName.replace(/[^\w.-]/g, '_')
    // The text of a real one would stand at its beginning.
    const isScrolledText = name === 'textarea' && element.scrollTop
    if (silent.test(name) || onTopNow.has(element)) {
      xml.push(`<${name} style="display:none!important"></${name}>`)
      return
    }
    if (shadowRoot) {
      enter(shadowRoot)
      frozen = true
    }
    let style =
      frozen || isScrolledText
        ? freeze(element)
        : styles.rewrite(element.getAttribute('style') ?? '') + (styles.lost.get(element) ?? '')
    style += `;${extra.get(element) ?? ''}${scroll ? shiftChild(element, scroll) : ''}`
    if (style === ';') style = ''
    if ((masked.has(element) || isMasked(element, shot.mask)) && writeMasked(element, name, style)) return
    if (isScrolledText) name = '_'
    yield* writeElement(element, name, style, namespaceURI === namespace ? '' : ` xmlns="${namespaceURI}"`, frozen)
  }

  function* writeElement(
    element: HTMLElement,
    name: string,
    style: string,
    attributes: string,
    frozen: boolean,
  ): Generator<void> {
    const isHtml = element.namespaceURI !== 'http://www.w3.org/2000/svg'
    if (isHtml && /^(canvas|video|iframe|frame|object|embed)$/.test(name)) {
      open('img', ` src="${readReplaced(element, name)}"`, freeze(element) + (extra.get(element) ?? ''))
      xml.push('</img>')
      return
    }
    for (const attribute of element.attributes) {
      const key = attribute.name.replace('xlink:', '')
      let { value } = attribute
      if (!kept.test(key)) continue
      if (key === 'href' && /image/i.test(name) && !/^(#|data:)/.test(value)) {
        attributes += ` href="${assets.holdFile(new URL(value, document.baseURI).href, 'images')}"`
        continue
      }
      if (key === 'href' && name === 'use') value = value.replace(/^[^#]+/, '')
      attributes += ` ${key}="${escape(value)}"`
    }
    const { scrollTop: top, scrollLeft: left } = element
    const children = element.shadowRoot?.childNodes ?? element.childNodes
    let content: Iterable<Node> = children
    let scroll: Scroll | undefined
    if (isHtml) {
      const field = element as HTMLInputElement
      if (name === 'img' || field.type === 'image') {
        const { width, height } = window.getComputedStyle(element)
        attributes += ` src="${readImage(element as HTMLImageElement)}"`
        style += `;width:${width}!important;height:${height}!important`
      }
      if (name === 'slot' && frozen) {
        const assigned = (element as unknown as HTMLSlotElement).assignedNodes()
        if (assigned.length) content = assigned
      }
      if (name === 'input' && field.type !== 'file') attributes += ` value="${escape(field.value)}"`
      if (field.checked) attributes += ' checked=""'
      if ((element as HTMLElement as unknown as HTMLOptionElement).selected) attributes += ' selected=""'
      if (element.localName === 'textarea') content = [document.createTextNode(field.value)]
    }
    if ((top || left) && element !== documentElement && element !== scrollingElement) {
      const isFlow =
        /block|flow|list|cell/.test(window.getComputedStyle(element).display) &&
        name !== '_' &&
        !hasContent(element, '::before')
      scroll = { left, top, isFlow }
      if (isFlow) {
        const shift = `all:initial!important;content:""!important;display:block!important;margin-bottom:${-top}px!important`
        tree.css += `${mark(element, ++serial)}::before{${shift}}`
      }
    }
    if (frozen) {
      mark(element, 'f')
      for (const pseudo of ['::before', '::after']) {
        if (hasContent(element, pseudo)) {
          tree.css += `${mark(element, ++serial)}${pseudo}{${styles.rewrite(freeze(element, pseudo))}}`
        }
      }
    }
    const states = marks.get(element)
    if (states) attributes += ` _e="${states}"`
    open(name, attributes, style)
    for (const child of content) yield* write(child, element.namespaceURI, frozen, scroll)
    if (element === documentElement) {
      for (const each of onTopNow) {
        onTopNow.delete(each)
        open('_', '', styles.rewrite(freeze(each, '::backdrop')))
        xml.push('</_>')
        yield* write(each, element.namespaceURI, true)
      }
    }
    xml.push(`</${name}>`)
  }

  /** Animated properties at their present values. */
  const stopAnimations = () => {
    for (const { effect } of document.getAnimations()) {
      const { target, pseudoElement } = effect as KeyframeEffect
      if (!target) continue
      const style = window.getComputedStyle(target, pseudoElement)
      const names = new Set(styles.animated)
      for (const frame of (effect as KeyframeEffect).getKeyframes()) {
        for (const key in frame) names.add(key.replace(/[A-Z]/g, '-$&').toLowerCase())
      }
      let css = ''
      for (const name of names) {
        const value = style.getPropertyValue(name)
        if (value) css += `${name}:${value}!important;`
      }
      if (pseudoElement) tree.css += `${mark(target, ++serial)}${pseudoElement}{${css}}`
      else extra.set(target, css + (extra.get(target) ?? ''))
    }
  }

  enter(document)
  stopAnimations()
  for (const state of styles.states) {
    try {
      for (const element of document.querySelectorAll(`:${state}`)) mark(element, state)
    } catch {}
  }
  tree.css += '[_e~=f]::before,[_e~=f]::after{content:none!important}'
  yield* write(documentElement, null, false)
}
