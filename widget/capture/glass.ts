import { hasContent, readComputed } from './computed.ts'
import { force } from './force.ts'
import type { AddRule } from './scene.ts'

/*
 * `backdrop-filter` in an image: Chromium filters the rectangle around an element with its shadows and contents, whatever
 * its corners, and nothing at all behind an element that paints nothing itself.
 */

const readFilter = ({ backdropFilter }: CSSStyleDeclaration) => (/\(/.test(backdropFilter) ? backdropFilter : '')

/** A background too faint to be seen, for a box without one, so that it paints something. */
const paintFaintly = ({ backgroundColor }: CSSStyleDeclaration) =>
  backgroundColor === 'rgba(0, 0, 0, 0)' ? 'background-color:#00000001;' : ''

const clipCorners = ({ borderRadius }: CSSStyleDeclaration) => `clip-path:inset(0 round ${borderRadius});`

/** Whether an element lies in another that has a filter: it filters only what that one paints itself, which is rarely seen. */
function isWithin({ parentElement }: Element): boolean {
  return !!parentElement && (!!readFilter(readComputed(parentElement)) || isWithin(parentElement))
}

/** Whether the contents of an element are drawn apart, so that they cannot filter what is behind the element. */
function isGroup({ opacity, filter, maskImage, clipPath, mixBlendMode }: CSSStyleDeclaration): boolean {
  return (
    opacity < '1' ||
    [filter, maskImage, clipPath].some((value) => value && value !== 'none') ||
    mixBlendMode !== 'normal'
  )
}

/**
 * Declarations for an element that has a `backdrop-filter`, or whose pseudo-elements have one. A pseudo-element of its size,
 * behind the contents, takes its filter, background and border, so that shadows and contents may extend beyond the shape.
 *
 * @param isScrolled its `::before` is in use
 */
export function writeGlass(element: Element, isScrolled: boolean, addRule: AddRule): string {
  const style = readComputed(element)
  const { overflow, background, borderRadius, position } = style
  const filter = readFilter(style)
  const isInner = isWithin(element)
  const free = (isScrolled ? ['::after'] : ['::before', '::after']).filter((pseudo) => {
    const own = readComputed(element, pseudo)
    if (!hasContent(element, pseudo)) return true
    if (isInner || filter) addRule(element, pseudo, force('backdrop-filter:none;'))
    // A shadow would be cut off.
    else if (readFilter(own) && own.boxShadow === 'none')
      addRule(element, pseudo, force(paintFaintly(own) + (own.clipPath === 'none' ? clipCorners(own) : '')))
    return false
  })
  if (!filter) return ''
  if (isInner) return 'backdrop-filter:none;'
  if (!free[0] || isGroup(style)) return style.mixBlendMode === 'normal' ? paintFaintly(style) : ''
  // Contents that are cut off end at the border, and so does the pseudo-element.
  const sides = overflow === 'visible' ? (['Top', 'Right', 'Bottom', 'Left'] as const) : []
  const inset = sides.map((side) => `-${style[`border${side}Width`]}`).join(' ') || '0'
  const border = sides.map((side) => `border-${side.toLowerCase()}:${style[`border${side}`]};`).join('')
  addRule(
    element,
    free[0],
    force(
      `all:initial;content:"";position:absolute;z-index:-1;box-sizing:border-box;inset:${inset};${border}background:${background};${paintFaintly(style)}border-radius:${borderRadius};${clipCorners(style)}backdrop-filter:${filter};`,
    ),
  )
  // Its contents are placed by it and layered within it, as in an element with a filter.
  return `backdrop-filter:none;background:none;${border && 'border-color:#0000;'}isolation:isolate;will-change:transform;${position === 'static' ? 'position:relative;inset:auto;' : ''}`
}
