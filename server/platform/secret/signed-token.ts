import { createHmac, timingSafeEqual } from 'node:crypto'

/** Tokens in addresses that let whoever holds one do one thing, without an account. */
export interface TokenSigner {
  /** Base64url of content and signature; the same every time. */
  write(content: Buffer): string
  /** The content; undefined when the token is none of ours. */
  read(token: string): Buffer | undefined
}

// 128 bits of the HMAC: guessing one takes longer than what these tokens open would be worth.
const signatureBytes = 16

/**
 * Signs contents of one length by HMAC-SHA256 (RFC 2104).
 *
 * @param key 32 bytes for this purpose alone.
 * @param contentBytes length of every content.
 */
export function createTokenSigner(key: Buffer, contentBytes: number): TokenSigner {
  const characters = Math.ceil(((contentBytes + signatureBytes) * 8) / 6)
  const shape = new RegExp(`^[A-Za-z0-9_-]{${characters}}$`)
  const sign = (content: Buffer) => createHmac('sha256', key).update(content).digest().subarray(0, signatureBytes)
  return {
    write: (content) => Buffer.concat([content, sign(content)]).toString('base64url'),
    read: (token) => {
      if (!shape.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      // The last character may have bits to spare: only one way of writing a token counts.
      if (bytes.toString('base64url') !== token) return undefined
      const content = bytes.subarray(0, contentBytes)
      return timingSafeEqual(bytes.subarray(contentBytes), sign(content)) ? content : undefined
    },
  }
}

/** The bytes of an id within a token, and its text again. */
export const uuidBytes = 16

export function toUuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

export function toUuidText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
