import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/*
 * `es_`, 30 random characters of base62 (178 bits), 6 characters of checksum: CRC-32 of the random part, in base62, with
 * leading zeros. As GitHub's tokens (“Behind GitHub's new authentication token formats”, GitHub blog, 5 April 2021): the
 * prefix lets secret scanners find a leaked key, the checksum tells a key from other text without a look-up, and a key
 * that was copied in part is refused before the database is asked.
 */

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
/** `es_` and enough of the random part to tell keys apart; 130 bits stay unknown. */
const prefixLength = 11
const shape = new RegExp(`^es_([${digits}]{${randomLength}})([${digits}]{${checksumLength}})$`)

/** A new key. */
export function createKey(): string {
  const random = Array.from({ length: randomLength }, () => digits.charAt(randomInt(digits.length))).join('')
  return `es_${random}${toChecksum(random)}`
}

/** The part of a key that may be shown. */
export function toPrefix(key: string): string {
  return key.slice(0, prefixLength)
}

/** Whether a text is a key by its looks and its checksum. Asks nothing: whether such a key exists, it can't say. */
export function isKeyText(text: string): boolean {
  const [, random, checksum] = shape.exec(text) ?? []
  return random !== undefined && toChecksum(random) === checksum
}

function toChecksum(random: string): string {
  let rest = crc32(random)
  let checksum = ''
  for (let place = 0; place < checksumLength; place += 1) {
    checksum = digits.charAt(rest % digits.length) + checksum
    rest = Math.floor(rest / digits.length)
  }
  return checksum
}
