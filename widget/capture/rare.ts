import { isDarkScheme, keepSize, readComputed } from './computed.ts'
import { encode } from './copy-pixels.ts'
import { drawDate, drawRange } from './gecko-fields.ts'
import { createCanvas } from './images.ts'
import type { Shot } from './shot.ts'

/*
 * What many pages do without: form controls, frames and films, scrolled boxes, shadow roots and other frozen elements,
 * animations, glass, highlights. Loaded when the first of them asks for it. Browsers leave the state of some form controls out of an
 * image (Firefox draws a checked box as unchecked, and no date at all), so these are drawn here, from the element's state.
 */

export { freezeAnimations } from './animations.ts'
export { writeBackground } from './background.ts'
export { freeze, freezePseudos } from './freeze.ts'
export { writeHighlights } from './highlights.ts'
export { readReplaced } from './replaced.ts'
export { readScroll, shiftChild, shiftText } from './scroll.ts'

/** Any of the drawn elements; properties of another kind are undefined. */
type Control = HTMLInputElement & HTMLMeterElement & HTMLProgressElement

/** Colours of Chromium and Firefox on light and dark pages: edge, face, track, disabled, and the default accent. */
const looks = {
  light: ['#767676', '#fff', '#efefef', '#c8c8c8', '#0075ff', '#0060df'],
  dark: ['#858585', '#3b3b3b', '#3b3b3b', '#5c5c5c', '#99c8ff', '#00ddff'],
} as const

const isGecko = 'mozInnerScreenX' in globalThis

/** A meter's colour: good, middling or bad, by the part of its range that is best. */
function judgeMeter({ value, low, high, optimum }: Control): string {
  const part = (number: number) => (number < low ? 0 : number > high ? 2 : 1)
  return ['#107c10', '#ffb900', '#d83b01'][Math.abs(part(value) - part(optimum))] ?? '#107c10'
}

/** Fills and outlines a shape, given as the path of an SVG. */
function paint(
  context: CanvasRenderingContext2D,
  path: string,
  fill: string | CanvasGradient,
  edge: string,
  width = 1,
): void {
  const shape = new Path2D(path)
  Object.assign(context, { fillStyle: fill, strokeStyle: edge, lineWidth: width })
  context.fill(shape)
  context.stroke(shape)
}

/** Colours and extent of a bar: its part is from 0 to 1, negative where it is unknown. */
interface Bar {
  readonly part: number
  readonly isRtl: boolean
  readonly track: string
  readonly fill: string
}

/** A bar, filled from the start of the line; in its middle where the part is unknown. */
function paintBar(context: CanvasRenderingContext2D, width: number, height: number, bar: Bar): void {
  const { part, isRtl, track, fill } = bar
  const radius = height / (isGecko ? 2 : 4) - 0.5
  const [from, to] = part < 0 ? [0.375, 0.625] : isRtl ? [1 - part, 1] : [0, part]
  const gradient = context.createLinearGradient(0, 0, width, 0)
  for (const [offset, color] of [
    [from, track],
    [from, fill],
    [to, fill],
    [to, track],
  ] as const)
    gradient.addColorStop(Math.min(1, Math.max(0, offset)), color)
  const length = width - 1 - 2 * radius
  const end = `a${radius} ${radius} 0 0 1 0 `
  paint(
    context,
    `M${radius + 0.5} ${height / 2 - radius}h${length}${end}${2 * radius}h${-length}${end}${-2 * radius}z`,
    gradient,
    '#8888',
  )
}

/** A box or a circle with its mark; in units of a thirteenth of its side, the size in px that browsers give it. */
function paintBox(
  context: CanvasRenderingContext2D,
  element: Control,
  [edge, face, , off]: readonly [string, string, string, string, ...string[]],
  accent: string,
): void {
  const { type, checked, indeterminate, disabled } = element
  const color = disabled ? off : accent
  const isOn = checked || (type === 'checkbox' && indeterminate)
  const border = disabled ? off : isOn ? color : edge
  if (type === 'radio') {
    paint(context, 'M.5 6.5a6 6 0 1 0 12 0a6 6 0 1 0-12 0z', face, border)
    if (isOn) paint(context, 'M3 6.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z', color, color)
  } else {
    const box = 'M2.5.5h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2z'
    paint(context, box, isOn ? color : face, border)
    if (isOn) paint(context, indeterminate ? 'M3 6.5h7' : 'M2.8 6.6 5.4 9.2 10.3 3.6', '#0000', face, 2)
  }
}

/**
 * Draws a control in its present state: the place of the image, and declarations for the element. By a canvas, since
 * Firefox does not wait for an SVG within an SVG.
 */
export function drawControl(element: Control, hold: Shot['hold']): { address: string; css: string; isImage: boolean } {
  const { localName, type, disabled, offsetWidth, offsetHeight, position, min, max, value, ownerDocument } = element
  const { accentColor, colorScheme, direction, marginBottom, verticalAlign } = readComputed(element)
  const look = looks[isDarkScheme(ownerDocument, colorScheme) ? 'dark' : 'light']
  const accent = /auto/.test(accentColor) ? look[isGecko ? 5 : 4] : accentColor
  const isBox = /^(ch|rad)/.test(type)
  if (localName === 'input' && !isBox) {
    const { canvas, css } =
      type === 'range' ? drawRange(element, [disabled ? look[0] : accent, look[2], '#5b5b66']) : drawDate(element)
    return { address: hold(element, undefined, () => encode(canvas)), css, isImage: true }
  }
  const isMeter = localName === 'meter'
  const [canvas, context] = createCanvas(offsetWidth * devicePixelRatio, offsetHeight * devicePixelRatio)
  if (isBox) {
    context.scale(canvas.width / 13, canvas.height / 13)
    paintBox(context, element, look, accent)
  } else {
    context.scale(devicePixelRatio, devicePixelRatio)
    paintBar(context, offsetWidth, offsetHeight, {
      // A meter's range is never empty, and its value within it.
      part: isMeter ? (+value - +min) / (+max - +min) : position,
      isRtl: direction === 'rtl',
      track: look[2],
      fill: isMeter ? judgeMeter(element) : accent,
    })
  }
  const address = hold(element, undefined, () => encode(canvas))
  // An input keeps its element, which selectors may name. Without its appearance, it stands on its margin.
  const place = isBox && verticalAlign === 'baseline' ? `vertical-align:-${marginBottom};` : ''
  return {
    address,
    isImage: !isBox,
    css: `${keepSize(element)}${place}appearance:none;border:0;padding:0;background:${isBox ? `url("${address}")0/100%100%` : 'none'};`,
  }
}
