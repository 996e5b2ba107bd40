import { createCanvas } from './images.ts'

/** Rejects when there are no pixels: then the blob is null, which nothing can read. */
export const encode = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((resolve) => {
    // Null is passed on too, see above.
    canvas.toBlob(resolve as BlobCallback)
  })

/** Takes the pixels now, encodes them later. Rejects then when they are of another origin, or there are none. */
export const copyPixels = (source: CanvasImageSource, width: number, height: number) => {
  const [canvas, context] = createCanvas(width, height)
  context.drawImage(source, 0, 0, width, height)
  return () => encode(canvas)
}
