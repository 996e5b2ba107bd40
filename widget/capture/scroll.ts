import { hasContent, readComputed } from './computed.ts'
import { force } from './force.ts'
import type { AddRule } from './scene.ts'

/** How far the contents of a box are scrolled. */
export interface Scroll {
  readonly left: number
  readonly top: number
  /** The contents have been moved up already. */
  readonly isFlow: boolean
}

/** How a box is scrolled. Contents in normal flow are moved up here, by a pseudo-element of negative height. */
export function readScroll(element: Element, isScrolledText: boolean, addRule: AddRule): Scroll {
  const { scrollTop: top, scrollLeft: left } = element
  const isFlow =
    /block|flow|list|cell/.test(readComputed(element).display) && !isScrolledText && !hasContent(element, '::before')
  if (isFlow) addRule(element, '::before', force(`all:initial;content:"";display:block;margin-bottom:${-top}px;`))
  return { left, top, isFlow }
}

/** Declarations that put a child of a scrolled box in its place: real shifts where possible, so that sticky boxes still stick. */
export function shiftChild(child: Element, { left, top, isFlow }: Scroll): string {
  const { position, display, width, marginLeft } = readComputed(child)
  if (position === 'fixed') return ''
  if (position === 'absolute' || !isFlow) return `translate:${-left}px ${-top}px;`
  if (/^inline/.test(display)) return `position:relative;left:${-left}px;`
  return left ? `margin-left:calc(${marginLeft} - ${left}px);width:${width};` : ''
}

/** A text within a scrolled box, as XML, moved like its elements. */
export function shiftText(xml: string, { left, top, isFlow }: Scroll): string {
  return `<_ style="all:unset;position:relative;left:${-left}px;top:${isFlow ? 0 : -top}px">${xml}</_>`
}
