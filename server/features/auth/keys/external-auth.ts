import { createRemoteJWKSet } from 'jose'
import { type AccessClaims, verifyAccessToken } from './access-token.ts'

/** What Supabase projects sign with, apart from secrets shared with them, which never leave the project. */
const algorithms = ['ES256', 'RS256', 'EdDSA']

/**
 * Verifies the tokens of a Supabase project by the keys it publishes, which are fetched when first needed and when an
 * unknown key appears.
 *
 * @param supabaseUrl address of the project, without a slash at its end.
 */
export function createExternalVerifier(supabaseUrl: string): (token: string) => Promise<AccessClaims> {
  const issuer = `${supabaseUrl}/auth/v1`
  const findKey = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), { timeoutDuration: 5_000 })
  return (token) => verifyAccessToken(token, { findKey, issuer, algorithms })
}
