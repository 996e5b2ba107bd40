import { hasContent, readComputed } from './computed.ts'
import { force } from './force.ts'
import { writeGlass } from './glass.ts'
import type { AddRule, Note, Scene } from './scene.ts'

const isGecko = 'mozInnerScreenX' in globalThis

/**
 * A background fixed to the window, which Firefox would draw out of place: a pseudo-element of the window's size, behind
 * the contents, has it instead and shows it where the element is.
 */
function writeFixed(element: Element, whole: boolean, addRule: AddRule): string {
  const { background, backgroundAttachment, borderRadius } = readComputed(element)
  if (!/fixed/.test(backgroundAttachment)) return ''
  const { x, y, width, height } = element.getBoundingClientRect()
  // An element with a layout box is in a window.
  const { scrollX, scrollY } = element.ownerDocument.defaultView as Window
  const left = whole ? x + scrollX : x
  const top = whole ? y + scrollY : y
  addRule(
    element,
    hasContent(element, '::before') ? '::after' : '::before',
    force(
      `all:initial;content:"";position:fixed;inset:0;z-index:-1;background:${background.replace(/fixed/g, 'scroll')};clip-path:inset(${top}px calc(100% - ${left + width}px) calc(100% - ${top + height}px) ${left}px round ${borderRadius});`,
    ),
  )
  return 'background-image:none;isolation:isolate;'
}

/**
 * Declarations for an element whose background images draw otherwise than pages.
 *
 * @param isScrolled its `::before` is in use
 */
export function writeBackground(element: Element, { css }: Note, isScrolled: boolean, scene: Scene): string {
  const { whole, addRule } = scene
  // The root shows the background of an element whose note says so.
  const isFixed = isGecko && !/background:/.test(css)
  return (isFixed ? writeFixed(element, whole, addRule) : '') + writeGlass(element, isScrolled, addRule)
}
