import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A provider's own tokens, with which the browser may act there in the user's name. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts the tokens for the minutes between the provider's answer and the exchange of the code. The key is made from
 * the code, which is stored hashed: whoever reads the database, its backups included, can open nothing.
 */
export function sealProviderTokens(tokens: ProviderTokens, code: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, deriveKey(code), iv)
  const body = Buffer.concat([cipher.update(JSON.stringify(tokens), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** @throws Error when it was sealed with another code. */
export function openProviderTokens(sealed: string, code: string): ProviderTokens {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(algorithm, deriveKey(code), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  const body = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
  return JSON.parse(body.toString('utf8')) as ProviderTokens
}

function deriveKey(code: string): Buffer {
  return Buffer.from(hkdfSync('sha256', code, '', 'provider tokens', 32))
}
