import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { measureArea } from './area.ts'
import { writeDocument } from './document.ts'
import { createFreezer } from './freeze.ts'
import type { Shot } from './shot.ts'

/** Pixels that every browser gives a canvas: iOS stops at 4,096 × 4,096. */
const maxPixels = 2 ** 24
/** The longest side that Chromium draws. */
const maxSide = 2 ** 14

/** Draws the page by the engine of our own. Rejects when a style sheet cannot be read, or the browser refuses. */
export async function drawPage(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const shot: Shot = { host: stage.host, mask, missing: new Set(), files: new Map() }
  const { left, top, width, height, isBeyond } = measureArea(area)
  const image = new Image()
  image.src = await writeDocument(document, shot, isBeyond, createFreezer(stage.root))
  await image.decode()
  const scale = Math.min(devicePixelRatio, maxSide / width, maxSide / height, Math.sqrt(maxPixels / width / height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.scale(scale, scale)
  context.drawImage(image, isBeyond ? -left : scrollX - left, isBeyond ? -top : scrollY - top)
  // Throws where the browser does not give the pixels back.
  context.getImageData(0, 0, 1, 1)
  return { canvas, missing: [...shot.missing] }
}
