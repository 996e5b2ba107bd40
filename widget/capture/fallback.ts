import type { Area, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { measureArea } from './area.ts'
import { isMasked, paintMasks } from './masks.ts'

/**
 * Draws by snapdom, which copies computed styles: it needs no readable style sheets, is an order of magnitude larger,
 * and comes as a stage of its own when it is needed.
 */
export async function drawOtherwise({ host }: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const { left, top, width, height } = measureArea(area)
  const address = new URL('./snapdom.js', import.meta.url).href
  const { snapdom } = (await import(address)) as typeof import('./snapdom.ts')
  const canvas = await snapdom.toCanvas(document.documentElement, {
    clip: area === 'viewport' ? area : { x: left, y: top, width, height },
    exclude: (element: Element) => element === host || isMasked(element, mask),
  })
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.resetTransform()
  context.scale(canvas.width / width, canvas.height / height)
  context.translate(scrollX - left, scrollY - top)
  paintMasks(context, mask)
  return { canvas, missing: ['styles'] }
}
