import { createCanvas } from './elements.ts'
import type { Mark } from './marks.ts'

/**
 * Width of lines, in pixels of the picture. All other sizes are multiples of it. Pictures of a phone are narrow but have
 * many pixels to one of CSS: there lines are 4.5 of those wide.
 */
export const measureUnit = (width: number, pixelRatio: number): number =>
  Math.round(Math.max(3 + width / 400, 4.5 * pixelRatio))

/** Left, top, width and height of the part of a mark's rectangle that lies on the picture, in whole pixels. */
export function findBox({ at: [x0, y0, x1, y1] }: Mark, width: number, height: number) {
  const cut = (from: number, to: number, most: number) => {
    const start = Math.max(0, Math.min(from, to, most - 1))
    return [start, Math.min(Math.max(from, to, start + 1), most) - start] as const
  }
  const [left, across] = cut(x0, x1, width)
  const [top, down] = cut(y0, y1, height)
  return [left, top, across, down] as const
}

/** The outline of a mark. */
export function trace({ tool, at: [x0, y0, x1, y1], points }: Mark, unit: number): Path2D {
  const path = new Path2D()
  const width = x1 - x0
  const height = y1 - y0
  if (points) for (const [x, y] of points) path.lineTo(x0 + x * width, y0 + y * height)
  else if (tool === 'arrow') {
    const head = (4 * unit) / Math.hypot(width, height) || 0
    path.moveTo(x0, y0)
    path.lineTo(x1, y1)
    for (const side of [0.7, -0.7]) {
      path.moveTo(x1 - head * (width + side * height), y1 - head * (height - side * width))
      path.lineTo(x1, y1)
    }
  } else path.rect(x0, y0, width, height)
  return path
}

/**
 * Makes the area beneath permanently unreadable: each block keeps only its mean colour, and then the blocks are mixed.
 * Blocks are about as wide as two letters.
 */
function blur(context: CanvasRenderingContext2D, mark: Mark, unit: number): void {
  const { canvas } = context
  const box = findBox(mark, canvas.width, canvas.height)
  const block = 5 * unit
  const width = Math.ceil(box[2] / block)
  const height = Math.ceil(box[3] / block)
  const [tiny, means] = createCanvas(width, height)
  means.imageSmoothingQuality = 'high'
  means.drawImage(canvas, ...box, 0, 0, width, height)
  // Hard blocks first: mixing alone leaves translucent edges in some browsers.
  for (const isMixed of [false, true]) {
    context.imageSmoothingEnabled = isMixed
    context.drawImage(tiny, ...box)
  }
}

/** Draws a mark into the pixels. A text gets its width. */
export function draw(context: CanvasRenderingContext2D, mark: Mark, unit: number): void {
  const { tool, color, at, text = '' } = mark
  const path = trace(mark, unit)
  context.lineWidth = unit
  context.lineCap = context.lineJoin = 'round'
  context.strokeStyle = context.fillStyle = color
  if (tool === 'text') {
    const size = Math.abs(at[3] - at[1]) / 1.2
    context.font = `600 ${size}px system-ui,sans-serif`
    // The direction of the first letter, as in the field.
    context.direction = /^\P{L}*[\u0590-\u08ff]/u.test(text) ? 'rtl' : 'ltr'
    context.textAlign = 'left'
    context.fillText(text, at[0], Math.min(at[1], at[3]) + size * 0.95)
    at[2] = at[0] + Math.round(context.measureText(text).width)
  } else if (tool === 'blur') blur(context, mark, unit)
  else if (tool === 'crop') {
    // Darkens the area outside the crop.
    path.rect(0, 0, context.canvas.width, context.canvas.height)
    context.fillStyle = '#0009'
    context.fill(path, 'evenodd')
  } else if (tool === 'highlight' || tool === 'blackout') {
    context.fillStyle = tool === 'blackout' ? '#000' : `${color}66`
    context.fill(path)
  } else context.stroke(path)
}
