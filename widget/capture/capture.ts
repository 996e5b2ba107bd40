import type { Area, CaptureModule, Screenshot } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { drawPage } from './draw.ts'
import { blank } from './shot.ts'

/** Loads a part that few visitors need; it stands beside this one. */
const load = <Module>(name: string): Promise<Module> => import(new URL(`./${name}.js`, import.meta.url).href)

/** Draws the page. Rejects at once where the page's policy allows no image to come from a data URL. */
export async function capture(stage: Stage, area: Area, mask: readonly string[]): Promise<Screenshot> {
  const probe = new Image()
  probe.src = blank
  await probe.decode()
  try {
    return await drawPage(stage, area, mask)
  } catch {
    const { drawOtherwise } = await load<typeof import('./snapdom.ts')>('snapdom')
    return drawOtherwise(stage, area, mask)
  }
}

const loadPoint = () => load<typeof import('./point.ts')>('point')

export const captureRealPixels: CaptureModule['captureRealPixels'] = async (stage, area, mask) =>
  (await loadPoint()).captureRealPixels(stage, area, mask)

export const pickElement: CaptureModule['pickElement'] = async (stage, hint) =>
  (await loadPoint()).pickElement(stage, hint)
