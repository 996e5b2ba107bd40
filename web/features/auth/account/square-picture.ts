import { maxAvatarBytes, type NewAvatar } from '#contract/auth.ts'

const edgePixels = 256
const largestFileBytes = 25 * 1024 * 1024

/** What can be chosen. Drawings in SVG are programs and stay out. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const

/** What is wrong with a chosen file, told to people; undefined: it may be a picture. */
export function findPictureProblem(file: { type: string; size: number }): string | undefined {
  if (!(pictureTypes as readonly string[]).includes(file.type)) {
    return 'Please choose a picture: PNG, JPEG, WebP, GIF or AVIF.'
  }
  if (file.size > largestFileBytes) return 'This picture is larger than 25 MB. Please choose a smaller one.'
  return undefined
}

/** The largest square in the middle of a picture, in its pixels. */
export function computeSquare(width: number, height: number): { x: number; y: number; edge: number } {
  const edge = Math.min(width, height)
  return { x: Math.floor((width - edge) / 2), y: Math.floor((height - edge) / 2), edge }
}

/**
 * Makes a picture square and small, here in the browser: where it was taken and with what stays on this device.
 *
 * @throws Error with a sentence for people when the file can't be read as a picture.
 */
export async function makeSquarePicture(file: Blob): Promise<NewAvatar> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error('This file could not be read as a picture. Please choose another one.')
  })
  const canvas = document.createElement('canvas')
  canvas.width = edgePixels
  canvas.height = edgePixels
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot change pictures. Please try another one.')
  context.imageSmoothingQuality = 'high'
  const { x, y, edge } = computeSquare(bitmap.width, bitmap.height)
  context.drawImage(bitmap, x, y, edge, edge, 0, 0, edgePixels, edgePixels)
  bitmap.close()
  // Safari answers PNG when asked for WebP; a photograph may then be too large and becomes a JPEG.
  for (const type of ['image/webp', 'image/jpeg']) {
    const blob = await encode(canvas, type)
    const mime = blob?.type
    if (blob && isSendable(mime) && blob.size <= maxAvatarBytes) return { mime, data: await toBase64(blob) }
  }
  throw new Error('This picture could not be made small enough. Please choose another one.')
}

function isSendable(mime: string | undefined): mime is NewAvatar['mime'] {
  return mime === 'image/webp' || mime === 'image/png' || mime === 'image/jpeg'
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
