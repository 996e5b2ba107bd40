import { keepSize, readComputed } from './computed.ts'
import { createCanvas } from './images.ts'

/*
 * Fields that Firefox leaves empty in an image, since it builds their insides by script: date, time, both, and the track
 * of a range. Drawn as they are on the page, in its colours. Browsers with another engine draw theirs by themselves.
 */

/** The insides of a field on a canvas of the device's pixels, and declarations that place it like the field. */
interface Drawn {
  readonly canvas: HTMLCanvasElement
  readonly css: string
}

/** What the field shows: its value by the browser's language, with letters where a part is empty. */
function writeValue({ type, value, valueAsNumber }: HTMLInputElement): string {
  const isTime = type === 'time'
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone: 'UTC',
    ...(!isTime && date),
    ...(type !== 'date' && time),
    ...(/:.*:/.test(value) && { second: '2-digit' }),
  })
  return format
    .formatToParts(valueAsNumber || 0)
    .map(({ type: part, value: shown }) =>
      value || part === 'literal'
        ? shown
        : part === 'year'
          ? 'yyyy'
          : /^(month|day)$/.test(part)
            ? part[0]?.repeat(2)
            : '--',
    )
    .join('')
}

/** A date, a time or both, as a text within the borders, background and padding that the field has. */
export function drawDate(field: HTMLInputElement): Drawn {
  const style = readComputed(field)
  const { color, font, marginBottom, verticalAlign, borderBottomWidth } = style
  const read = (name: string) => Number.parseFloat(style.getPropertyValue(`padding-${name}`))
  const width = field.clientWidth - read('left') - read('right')
  const height = field.clientHeight - read('top') - read('bottom')
  const [canvas, context] = createCanvas(width * devicePixelRatio, height * devicePixelRatio)
  context.scale(devicePixelRatio, devicePixelRatio)
  context.font = font
  context.fillStyle = color
  const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('0')
  const baseline = (height + ascent - descent) / 2
  // Each part has a padding of its own in the field.
  context.fillText(writeValue(field), 3, baseline)
  // An image stands on its lower edge, a field on its text.
  const below =
    height - baseline + read('bottom') + Number.parseFloat(borderBottomWidth) + Number.parseFloat(marginBottom)
  const place = verticalAlign === 'baseline' ? `vertical-align:${-below}px;` : ''
  return { canvas, css: `${place}box-sizing:content-box;width:${width}px;height:${height}px;` }
}

/** A range: its track, filled as far as its thumb. */
export function drawRange(field: HTMLInputElement, [filled, track, thumb]: readonly [string, string, string]): Drawn {
  const { offsetWidth, offsetHeight, min, max, valueAsNumber, disabled } = field
  const { direction, writingMode, marginBottom, verticalAlign } = readComputed(field)
  const [canvas, context] = createCanvas(offsetWidth * devicePixelRatio, offsetHeight * devicePixelRatio)
  context.scale(devicePixelRatio, devicePixelRatio)
  context.globalAlpha = disabled ? 0.4 : 1
  const isVertical = offsetHeight > offsetWidth
  const length = Math.max(offsetWidth, offsetHeight)
  const across = Math.min(offsetWidth, offsetHeight)
  // Along the x axis from here on.
  if (isVertical) context.transform(0, 1, 1, 0, 0, 0)
  // A vertical range without a vertical writing mode grows upwards.
  if (direction === 'rtl' || (isVertical && /^h/.test(writingMode))) context.transform(-1, 0, 0, 1, length, 0)
  const radius = Math.min(across / 2, 10)
  const least = +min || 0
  const extent = (max === '' ? 100 : +max) - least
  const middle = radius + (length - 2 * radius) * (extent > 0 ? (valueAsNumber - least) / extent : 0)
  const drawTrack = (end: number, color: string) => {
    context.fillStyle = color
    context.beginPath()
    context.roundRect(2, across / 2 - 3, end - 2, 6, 3)
    context.fill()
  }
  drawTrack(length - 2, '#8f8f9d')
  context.fillStyle = track
  context.fillRect(4, across / 2 - 2, length - 8, 4)
  drawTrack(middle, filled)
  context.beginPath()
  context.arc(middle, across / 2, radius - 2, 0, 7)
  Object.assign(context, { fillStyle: thumb, strokeStyle: '#fff', lineWidth: 2 })
  context.fill()
  context.stroke()
  const place = verticalAlign === 'baseline' ? `vertical-align:-${marginBottom};` : ''
  return { canvas, css: `${keepSize(field)}${place}border:0;padding:0;background:none;` }
}
