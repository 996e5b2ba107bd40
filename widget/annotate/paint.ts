import { draw } from './draw.ts'
import type { Editor } from './editor.ts'
import { findCorners } from './marks.ts'

const accent = '#0090ff'

/** Draws the picture and its marks: only the visible part while editing, everything for the result. */
export function paint({ context, paper, area, picture, unit, zoom, marks, selected }: Editor, isFinal: boolean): void {
  const from = paper.getBoundingClientRect()
  const seen = area.getBoundingClientRect()
  context.save()
  if (!isFinal) {
    context.beginPath()
    context.rect((seen.x - from.x) / zoom, (seen.y - from.y) / zoom, seen.width / zoom, seen.height / zoom)
    context.clip()
  }
  context.drawImage(picture, 0, 0)
  for (const mark of marks) if (!isFinal || mark.tool !== 'crop') draw(context, mark, unit)
  if (selected && !isFinal) {
    const [x0, y0, x1, y1] = selected.at
    context.lineWidth = 2 / zoom
    context.strokeStyle = accent
    context.fillStyle = '#fff'
    if (selected.tool !== 'arrow') context.strokeRect(x0, y0, x1 - x0, y1 - y0)
    for (const [i = 0, j = 0] of findCorners(selected)) {
      context.beginPath()
      context.arc(selected.at[i], selected.at[j], 6 / zoom, 0, 7)
      context.fill()
      context.stroke()
    }
  }
  context.restore()
}
