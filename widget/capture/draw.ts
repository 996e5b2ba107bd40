import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { measureArea } from './area.ts'
import { drawDocument } from './document.ts'
import { createShot } from './shot.ts'

/** Draws the page by Earshot's own engine. Rejects when a style sheet cannot be read, or the browser refuses. */
export async function drawPage(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const shot = createShot(stage, mask)
  const [x, y, width, height] = measureArea(area)
  const { clientWidth, clientHeight } = document.documentElement
  const isBeyond = x < 0 || y < 0 || x + width > clientWidth || y + height > clientHeight
  const part = isBeyond ? [x + scrollX, y + scrollY, width, height] : [x, y, width, height]
  const canvas = await drawDocument(document, shot, isBeyond, part)
  return { canvas, missing: [...shot.missing] }
}
