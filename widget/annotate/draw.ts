import { boundsOf, type Mark } from './marks.ts'

/** Pixels of the picture that become one: a line of text is a few blobs then, and no calculation brings it back. */
const blurBlock = () => 20 * devicePixelRatio

export const lineWidth = () => 4 * devicePixelRatio
export const textSize = () => 22 * devicePixelRatio

/** Draws the picture and its marks, in pixels of the picture. What `blur` and `blackout` cover is gone for good. */
export function drawMarks(context: CanvasRenderingContext2D, picture: HTMLCanvasElement, marks: readonly Mark[]): void {
  context.drawImage(picture, 0, 0)
  for (const mark of marks) drawMark(context, picture, mark)
}

function drawMark(context: CanvasRenderingContext2D, picture: HTMLCanvasElement, mark: Mark): void {
  const { tool, color, line, text } = mark
  const [x, y] = mark.from
  const [width, height] = mark.by
  const [left, top, right, bottom] = boundsOf(mark)
  context.save()
  context.strokeStyle = context.fillStyle = tool === 'blackout' ? '#000' : color
  context.lineWidth = lineWidth()
  context.lineCap = context.lineJoin = 'round'
  context.beginPath()
  if (line) for (const [alongX, alongY] of line) context.lineTo(x + alongX * width, y + alongY * height)
  if (tool === 'arrow') {
    const angle = Math.atan2(height, width)
    const length = lineWidth() * 5
    context.moveTo(x, y)
    for (const turn of [0, 0.5, 0, -0.5]) {
      const reach = turn ? length : 0
      context.lineTo(x + width - reach * Math.cos(angle + turn), y + height - reach * Math.sin(angle + turn))
    }
  }
  if (tool === 'box') context.rect(x, y, width, height)
  context.stroke()
  if (tool === 'highlight') context.globalAlpha = 0.4
  if (tool === 'highlight' || tool === 'blackout') context.fillRect(x, y, width, height)
  if (tool === 'blur' && width && height) {
    const small = document.createElement('canvas')
    small.width = Math.ceil((right - left) / blurBlock())
    small.height = Math.ceil((bottom - top) / blurBlock())
    const averaging = small.getContext('2d')
    if (averaging) averaging.imageSmoothingQuality = 'high'
    averaging?.drawImage(picture, left, top, right - left, bottom - top, 0, 0, small.width, small.height)
    context.drawImage(small, left, top, right - left, bottom - top)
  }
  if (text) {
    context.font = `600 ${textSize()}px system-ui,sans-serif`
    context.textBaseline = 'top'
    context.strokeStyle = '#fff'
    context.strokeText(text, left, top)
    context.fillText(text, left, top)
  }
  context.restore()
}

/** The picture with its marks burnt in, cut to the crop where there is one. */
export function burnMarks(picture: HTMLCanvasElement, marks: readonly Mark[]): HTMLCanvasElement {
  const crop = marks.find(({ tool }) => tool === 'crop')
  const [left, top, right, bottom] = crop ? boundsOf(crop) : [0, 0, picture.width, picture.height]
  const result = document.createElement('canvas')
  const x = Math.max(0, Math.round(left))
  const y = Math.max(0, Math.round(top))
  result.width = Math.max(1, Math.min(picture.width, Math.round(right)) - x)
  result.height = Math.max(1, Math.min(picture.height, Math.round(bottom)) - y)
  const context = result.getContext('2d')
  context?.translate(-x, -y)
  if (context) drawMarks(context, picture, marks)
  return result
}
