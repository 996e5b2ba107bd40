import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { measureArea } from './area.ts'
import { writeDocument } from './document.ts'
import { createFreeze } from './freeze.ts'
import { createShot } from './shot.ts'

/** Draws the page by the engine of our own. Rejects when a style sheet cannot be read, or the browser refuses. */
export async function drawPage(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const shot = createShot(stage.host, mask)
  const { x, y, width, height } = measureArea(area)
  const { clientWidth, clientHeight } = document.documentElement
  const left = x - scrollX
  const top = y - scrollY
  const isBeyond = left < 0 || top < 0 || left + width > clientWidth || top + height > clientHeight
  const box = isBeyond ? [x, y, width, height] : [left, top, width, height]
  const canvas = await writeDocument(document, shot, isBeyond, createFreeze(stage.root), box)
  // Throws where the browser does not give the pixels back.
  canvas.getContext('2d')?.getImageData(0, 0, 1, 1)
  return { canvas, missing: [...shot.missing] }
}
