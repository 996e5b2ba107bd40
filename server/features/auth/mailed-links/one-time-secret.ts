import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Marks links whose browser will exchange a code (PKCE) instead of being handed a session. */
export const pkcePrefix = 'pkce_'

/** The two forms of one emailed secret: a link token and a code to enter. */
export interface OneTimeSecret {
  readonly linkToken: string
  readonly linkTokenHash: string
  readonly code: string
  readonly codeHash: string
}

/**
 * Creates a link token (224 random bits) and a six-digit code for one email. The two are independent: a link derived
 * from the code could be guessed as easily as the code.
 */
export function createOneTimeSecret(email: string, isPkce: boolean): OneTimeSecret {
  const linkToken = `${isPkce ? pkcePrefix : ''}${randomBytes(28).toString('hex')}`
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  return { linkToken, linkTokenHash: hashLinkToken(linkToken), code, codeHash: hashCode(email, code) }
}

/** The stored hash of a link token. Keeps the prefix. */
export function hashLinkToken(linkToken: string): string {
  const prefix = linkToken.startsWith(pkcePrefix) ? pkcePrefix : ''
  return prefix + createHash('sha224').update(linkToken.slice(prefix.length)).digest('hex')
}

/** The stored hash of a code. */
export function hashCode(email: string, code: string): string {
  return createHash('sha224').update(`${email}\n${code}`).digest('hex')
}
