import { escapeXml } from './escape-xml.ts'
import { createCanvas } from './images.ts'
import type { Scene } from './scene.ts'
import { blank, fetchFile } from './shot.ts'

/** HTML elements that become images in the picture. */
export const replaced = /^(canvas|video|iframe|object|embed)$/

/** Rejects when there are no pixels: then the blob is null, which nothing can read. */
const encode = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((resolve) => {
    // Null is passed on too, see above.
    canvas.toBlob(resolve as BlobCallback)
  })

/** Takes the pixels now, encodes them later. Rejects then when they are of another origin, or there are none. */
const copy = (source: HTMLImageElement, width: number, height: number) => {
  const [canvas, context] = createCanvas(width, height)
  context.drawImage(source, 0, 0, width, height)
  return () => encode(canvas)
}

/** Address for the place of an image, canvas, film or frame. */
export function readPixels(element: HTMLImageElement, name: string, { hold, whole, drawFrame }: Scene): string {
  const { x, y, right, bottom } = element.getBoundingClientRect()
  // An element with a layout box is in a window.
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView as Window
  if (!whole && (right <= 0 || bottom <= 0 || x >= innerWidth || y >= innerHeight)) return blank
  const { currentSrc, src, complete, naturalWidth, naturalHeight, width, height } = element
  if (name === 'canvas') return hold(element, name, copy(element, width, height))
  if (name === 'video') {
    // Its name is `video`.
    const { poster, currentTime, mediaKeys, videoWidth, videoHeight } = element as Element as HTMLVideoElement
    if (poster && !currentTime) return hold(poster, name)
    // A protected film would show black.
    return hold(element, name, copy(element, mediaKeys ? 0 : videoWidth, videoHeight))
  }
  if (replaced.test(name)) {
    // `replaced` names frames; images and others lack a document.
    const { contentDocument } = element as Element as HTMLIFrameElement
    // Read later: without a document it throws, which counts as missing.
    return hold(element, 'frames', async () => encode(await drawFrame(contentDocument as Document)))
  }
  const address = currentSrc || src
  // Broken images stay broken.
  if (complete && !naturalWidth) return 'data:,'
  if (/^data/.test(address)) return escapeXml(address)
  // The element has pixels even where its address is revoked (blob:) or of another origin.
  return hold(address, 'images', () => fetchFile(address).catch(() => copy(element, naturalWidth, naturalHeight)()))
}
