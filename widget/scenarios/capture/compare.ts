import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** Reads a picture from a data URL or the bytes of a PNG. */
export const readPicture = (picture: string | Buffer): PNG =>
  PNG.sync.read(typeof picture === 'string' ? Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64') : picture)

/**
 * Part of the pixels, from 0 to 1, by which two pictures differ visibly (pixelmatch's own measure, threshold 0.1).
 * Pictures of different sizes differ wholly.
 */
export function compare(one: PNG, other: PNG, difference?: PNG): number {
  const { width, height } = one
  if (other.width !== width || other.height !== height) return 1
  const count = pixelmatch(one.data, other.data, difference?.data, width, height, { threshold: 0.1 })
  return count / (width * height)
}
