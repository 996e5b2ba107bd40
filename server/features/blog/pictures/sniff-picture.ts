import type { BlogPictureType } from '#contract/blog-posts.ts'

/**
 * The type of a picture by its content, whatever the browser calls it; undefined: none that posts may have. SVG can run
 * scripts.
 *
 * First and last bytes: PNG specification (third edition, 5.2 and 11.2.5), ITU T.81 (JPEG), RFC 9649 (WebP), GIF89a, and
 * ISO/IEC 23000-22 (AVIF: the brands of the first box). Where a format marks its end, appended markup is refused.
 */
export function sniffPicture(bytes: Buffer): BlogPictureType | undefined {
  const startsWith = (hex: string, at = 0) => bytes.toString('hex', at, at + hex.length / 2) === hex
  const endsWith = (hex: string) => startsWith(hex, Math.max(bytes.length - hex.length / 2, 0))
  if (startsWith('89504e470d0a1a0a') && endsWith('0000000049454e44ae426082')) return 'image/png'
  if (startsWith('ffd8ff') && endsWith('ffd9')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) && endsWith('3b')) return 'image/gif'
  const isWebp = bytes.length > 12 && startsWith('52494646') && startsWith('57454250', 8)
  if (isWebp && bytes.readUInt32LE(4) === bytes.length - 8) return 'image/webp'
  return isAvif(bytes) ? 'image/avif' : undefined
}

function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), bytes.length))
  return brands.startsWith('avif') || brands.startsWith('avis') || brands.slice(8).includes('avif')
}
