const largestFileBytes = 25 * 1024 * 1024

/** Accepted picture types. SVG is excluded: it can run scripts. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const

/** The message for a file that can’t be used; undefined when it may be a picture. */
export function findPictureProblem(file: { type: string; size: number }): string | undefined {
  if (!pictureTypes.some((type) => type === file.type)) {
    return 'Select a PNG, JPEG, WebP, GIF or AVIF picture.'
  }
  if (file.size > largestFileBytes) return 'This picture is larger than 25 MB. Select a smaller one.'
  return undefined
}

/** The largest square in the middle of a picture, in its pixels. */
export function computeSquare(width: number, height: number): { x: number; y: number; edge: number } {
  const edge = Math.min(width, height)
  return { x: Math.floor((width - edge) / 2), y: Math.floor((height - edge) / 2), edge }
}

const sentTypes = ['image/webp', 'image/png', 'image/jpeg'] as const

/** A picture as it is sent: its type, and its bytes in Base64. */
interface SquarePicture {
  mime: (typeof sentTypes)[number]
  data: string
}

/**
 * Crops and scales a picture in the browser, so that its location and camera metadata never leave this device.
 *
 * @throws Error with a sentence for people when the file can't be read as a picture.
 */
export async function makeSquarePicture(
  file: Blob,
  { edgePixels, maxBytes }: { edgePixels: number; maxBytes: number },
): Promise<SquarePicture> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error('Couldn’t read this file as a picture. Select another one.')
  })
  const canvas = document.createElement('canvas')
  canvas.width = edgePixels
  canvas.height = edgePixels
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t resize pictures. Try another browser.')
  context.imageSmoothingQuality = 'high'
  const { x, y, edge } = computeSquare(bitmap.width, bitmap.height)
  context.drawImage(bitmap, x, y, edge, edge, 0, 0, edgePixels, edgePixels)
  bitmap.close()
  // Safari answers PNG when asked for WebP; a photograph may then be too large and becomes a JPEG.
  for (const type of ['image/webp', 'image/jpeg']) {
    const blob = await encode(canvas, type)
    const mime = sentTypes.find((each) => each === blob?.type)
    if (blob && mime && blob.size <= maxBytes) return { mime, data: await toBase64(blob) }
  }
  throw new Error('Couldn’t make this picture small enough. Select another one.')
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.88))
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
