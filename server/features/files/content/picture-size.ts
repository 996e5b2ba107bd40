/** Width and height in pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/**
 * Reads a picture's size from its first bytes, as its format says (PNG 1.2, GIF89a, JFIF, WebP container, ISO/IEC
 * 23008-12 for AVIF).
 *
 * @returns undefined when the bytes are no such picture.
 */
export function readPictureSize(mime: string, head: Buffer): PictureSize | undefined {
  try {
    const size = readers[mime]?.(head)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // The file ends before its own header does.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readers: Readonly<Record<string, (head: Buffer) => PictureSize | undefined>> = {
  'image/png': (head) =>
    head.toString('latin1', 12, 16) === 'IHDR'
      ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
      : undefined,
  'image/gif': (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/avif': readAvif,
}

function readJpeg(head: Buffer): PictureSize | undefined {
  for (let at = 2; head.readUInt8(at) === 0xff; ) {
    const marker = head.readUInt8(at + 1)
    // Start of frame, whatever its coding; C4, C8 and CC are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    }
    at += marker === 0xff ? 1 : 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

function readWebp(head: Buffer): PictureSize | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

function readAvif(head: Buffer): PictureSize | undefined {
  let largest: PictureSize | undefined
  // A picture made of tiles names the size of each, and its own.
  for (let at = head.indexOf('ispe'); at !== -1; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
