import type { CaptureModule } from '../loader/modules.ts'
import { drawPage } from './draw.ts'
import { loadImage } from './images.ts'
import { blank } from './shot.ts'

/** A function of a stage beside this one that few visitors need: loaded with the first call. */
const lend =
  <Args extends unknown[], Result>(path: string, name: string) =>
  async (...args: Args): Promise<Result> =>
    (await import(path))[name](...args)

/** Draws the page. Rejects at once where the page's policy allows no image to come from a data URL. */
export const capture: CaptureModule['capture'] = async (...args) => {
  await loadImage(blank)
  // The build names the modules: `drawOtherwise` takes and gives what `drawPage` does.
  return drawPage(...args).catch(() => lend('./snapdom.js', 'drawOtherwise')(...args) as ReturnType<typeof drawPage>)
}

export const captureRealPixels: CaptureModule['captureRealPixels'] = lend('./point.js', 'captureRealPixels')
export const pickElement: CaptureModule['pickElement'] = lend('./point.js', 'pickElement')
