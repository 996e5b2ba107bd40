import type { Area, CaptureModule, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { drawPage } from './draw.ts'
import { drawOtherwise } from './fallback.ts'
import { choose } from './pick.ts'
import { grabPixels } from './real-pixels.ts'
import { blank } from './shot.ts'

/** Draws the page. Rejects at once where the page's policy allows no image to come from a data URL. */
export async function capture(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const probe = new Image()
  probe.src = blank
  await probe.decode()
  try {
    return await drawPage(stage, area, mask)
  } catch {
    return drawOtherwise(stage, area, mask)
  }
}

export const captureRealPixels: CaptureModule['captureRealPixels'] = grabPixels
export const pickElement: CaptureModule['pickElement'] = choose
