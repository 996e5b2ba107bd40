import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { measureArea } from './area.ts'
import { writeDocument } from './document.ts'
import { createFreeze } from './freeze.ts'
import { createShot } from './shot.ts'

/** Pixels that every browser gives a canvas: iOS stops at 4,096 × 4,096. */
const maxPixels = 2 ** 24
/** The longest side that Chromium draws. */
const maxSide = 2 ** 14

/** Draws the page by the engine of our own. Rejects when a style sheet cannot be read, or the browser refuses. */
export async function drawPage(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const shot = createShot(stage.host, mask)
  const { x, y, width, height } = measureArea(area)
  const { clientWidth, clientHeight } = document.documentElement
  const left = x - scrollX
  const top = y - scrollY
  const isBeyond = left < 0 || top < 0 || left + width > clientWidth || top + height > clientHeight
  const scale = Math.min(devicePixelRatio, maxSide / width, maxSide / height, Math.sqrt(maxPixels / width / height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const view = `width="${canvas.width}" height="${canvas.height}" viewBox="${isBeyond ? x : left} ${isBeyond ? y : top} ${width} ${height}"`
  const image = new Image()
  image.src = await writeDocument(document, shot, isBeyond, createFreeze(stage.root), view)
  await image.decode()
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.drawImage(image, 0, 0)
  // Throws where the browser does not give the pixels back.
  context.getImageData(0, 0, 1, 1)
  return { canvas, missing: [...shot.missing] }
}
