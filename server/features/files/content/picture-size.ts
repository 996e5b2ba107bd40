import { imageDimensionsFromData } from 'image-dimensions'

/** Width and height in pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/**
 * Reads a picture's size from its first bytes.
 *
 * @returns undefined when the bytes are no picture of this type.
 */
export function readPictureSize(mime: string, head: Buffer): PictureSize | undefined {
  const found = readDimensions(head)
  if (!found || `image/${found.type}` !== mime || found.width === 0 || found.height === 0) return undefined
  return { width: found.width, height: found.height }
}

function readDimensions(head: Buffer) {
  try {
    return imageDimensionsFromData(head)
  } catch (error) {
    // A header ends too early, or an AVIF lists more items than a call takes arguments (340,000 fit into 1 MB).
    if (error instanceof RangeError) return undefined
    throw error
  }
}
