import { maxPictureBytes, type NewPicture } from '#contract/picture.ts'

/**
 * The bytes of a picture, if its content matches its type.
 *
 * @returns otherwise the problem, for the caller.
 */
export function readPicture({ mime, data }: NewPicture): { bytes: Buffer } | { problem: string } {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data) return { problem: 'must be base64' }
  if (bytes.length > maxPictureBytes) return { problem: `must not be larger than ${maxPictureBytes / 1024} kB` }
  // The content decides, as in browsers, not the declared type.
  if (sniff(bytes) !== mime) return { problem: `must be a picture of type ${mime}` }
  return { bytes }
}

// First and last bytes of the three formats: RFC 9649 (WebP), the PNG specification (third edition, 5.2 and 11.2.5),
// ITU T.81 (JPEG). The last bytes, too: a truncated picture, or one with appended HTML, is refused.
function sniff(bytes: Buffer): NewPicture['mime'] | undefined {
  const startsWith = (hex: string, at = 0) => bytes.toString('hex', at, at + hex.length / 2) === hex
  const endsWith = (hex: string) => startsWith(hex, Math.max(bytes.length - hex.length / 2, 0))
  if (startsWith('89504e470d0a1a0a') && endsWith('0000000049454e44ae426082')) return 'image/png'
  if (startsWith('ffd8ff') && endsWith('ffd9')) return 'image/jpeg'
  const isWebp = bytes.length > 12 && startsWith('52494646') && startsWith('57454250', 8)
  return isWebp && bytes.readUInt32LE(4) === bytes.length - 8 ? 'image/webp' : undefined
}
