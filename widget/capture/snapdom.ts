import { snapdom } from '@zumer/snapdom'
import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { measureArea } from './area.ts'
import { isMasked } from './masks.ts'
import { paintMasks } from './paint-masks.ts'

/**
 * Draws by snapdom, which copies computed styles and so needs no readable style sheets. A stage of its own, loaded on
 * demand: it is an order of magnitude larger.
 */
export async function drawOtherwise({ host }: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const [x, y, width, height] = measureArea(area)
  const canvas = await snapdom.toCanvas(document.documentElement, {
    clip: area === 'viewport' ? area : { x: x + scrollX, y: y + scrollY, width, height },
    exclude: (element: Element) => element === host || isMasked(element, mask),
  })
  // A new canvas has a 2D context.
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.resetTransform()
  context.scale(canvas.width / width, canvas.height / height)
  context.translate(-x, -y)
  paintMasks(context, mask)
  return { canvas, missing: ['styles'] }
}
