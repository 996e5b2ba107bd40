import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** A provider's tokens, with which the browser can call the provider for the user. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts the tokens for the minutes between the provider's answer and the exchange of the code. The key is derived
 * from the code, which is stored hashed: the database and its backups can't be used to decrypt them.
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
  // Sealed by the function above: the authentication tag proves it.
  return JSON.parse(body.toString('utf8')) as ProviderTokens
}

function deriveKey(code: string): Buffer {
  return Buffer.from(hkdfSync('sha256', code, '', 'provider tokens', 32))
}
