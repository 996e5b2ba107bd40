import { createHash, randomBytes } from 'node:crypto'

/** A new secret of 256 random bits. The letter tells code, access and refresh token apart: `esc_`, `esa_`, `esr_`. */
export function makeSecret(letter: 'a' | 'c' | 'r'): string {
  return `es${letter}_${randomBytes(32).toString('hex')}`
}

/** SHA-256: what is stored of a secret, and by what it is looked up. */
export function hashSecret(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
