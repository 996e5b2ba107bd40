import type { CaptureModule } from '../loader/modules.ts'
import { drawPage } from './draw.ts'
import { blank } from './shot.ts'

/** A function of a stage that stands beside this one and that few visitors need: loaded with the first call. */
const lend =
  <Args extends unknown[], Result>(stage: string, name: string) =>
  async (...args: Args): Promise<Result> =>
    (await import(new URL(`./${stage}.js`, import.meta.url).href))[name](...args)

/** Draws the page. Rejects at once where the page's policy allows no image to come from a data URL. */
export const capture: CaptureModule['capture'] = async (...args) => {
  const probe = new Image()
  probe.src = blank
  await probe.decode()
  return drawPage(...args).catch(() => lend('snapdom', 'drawOtherwise')(...args) as ReturnType<typeof drawPage>)
}

export const captureRealPixels: CaptureModule['captureRealPixels'] = lend('point', 'captureRealPixels')
export const pickElement: CaptureModule['pickElement'] = lend('point', 'pickElement')
