import { createHmac, timingSafeEqual } from 'node:crypto'

/** Tokens in URLs that allow their holder one action, without an account. */
export interface TokenSigner {
  /** Base64url of content and signature; deterministic. */
  write(content: Buffer): string
  /** The content; undefined for an invalid token. */
  read(token: string): Buffer | undefined
}

// 128 bits of the HMAC: enough against guessing for the value that these tokens protect.
const signatureBytes = 16

/**
 * Signs contents of one length by HMAC-SHA256 (RFC 2104).
 *
 * @param key 32 bytes for this purpose only.
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
      // The last character may have unused bits: only the canonical form is accepted.
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
