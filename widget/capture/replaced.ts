import { copyPixels, encode } from './copy-pixels.ts'
import type { Scene } from './scene.ts'

/** Address for the place of a canvas, film or frame. */
export function readReplaced(element: Element, name: string, { hold, missing, drawFrame }: Scene): string {
  // The name says which of them it is.
  const pixels = element as HTMLCanvasElement
  if (name === 'canvas') return hold(element, name, copyPixels(pixels, pixels.width, pixels.height))
  if (name === 'video') {
    const video = element as HTMLVideoElement // Its name is `video`.
    const { controls, poster, currentTime, mediaKeys, videoWidth, videoHeight } = video
    // Drawn by the browser, out of reach.
    if (controls) missing.add(name)
    if (poster && !currentTime) return hold(poster, name)
    // A protected film would show black.
    return hold(element, name, copyPixels(video, mediaKeys ? 0 : videoWidth, videoHeight))
  }
  // The others are frames.
  const { contentDocument } = element as HTMLIFrameElement // Its name is that of a frame.
  // Read later: without a document it throws, which counts as missing.
  return hold(element, 'frames', async () => encode(await drawFrame(contentDocument as Document)))
}
