import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Log } from '#server/platform/log/log.ts'
import { type AccessClaims, verifyAccessToken } from './access-token.ts'
import { minSecretBytes } from './private-jwk.ts'

/** The algorithms of Supabase projects, besides a shared secret. */
const algorithms = ['ES256', 'RS256', 'EdDSA']

const timeoutMs = 5_000
// The minimum interval between fetches for an unknown key. Short: right after a rotation every token names one.
const pauseBetweenFetchesMs = 1_000
// How long known keys stay valid while the project does not answer: no token lives longer.
const outagePatienceMs = 60 * 60_000
const pauseInOutageMs = 10_000

export interface ExternalProject {
  /** URL of the project, without a trailing slash. */
  readonly url: string
  /** Its JWT secret, where it still signs with one; null: HS256 is refused. */
  readonly jwtSecret: string | null
}

/**
 * Verifies the tokens of a Supabase project: with its published keys, which are fetched when first needed, after ten
 * minutes, and when a token names an unknown one; and with its secret, where one is given.
 *
 * @throws Error with one clear sentence when the secret is too short.
 */
export function createExternalVerifier(
  { url, jwtSecret }: ExternalProject,
  log: Pick<Log, 'warn'>,
): (token: string) => Promise<AccessClaims> {
  const secret = jwtSecret === null ? undefined : new TextEncoder().encode(jwtSecret)
  if (secret && secret.length < minSecretBytes) {
    throw new Error(`SUPABASE_JWT_SECRET must be at least ${minSecretBytes} bytes long`)
  }
  const issuer = `${url}/auth/v1`
  const findPublishedKey = createPublishedKeys(new URL(`${issuer}/.well-known/jwks.json`), log)
  let hasWarned = false
  const findKey: JWTVerifyGetKey = (header, token) => {
    if (header.alg !== 'HS256') return findPublishedKey(header, token)
    if (secret) return secret
    if (!hasWarned) {
      hasWarned = true
      log.warn({}, 'refused a token signed with a JWT secret: if the project uses one, set SUPABASE_JWT_SECRET')
    }
    throw new errors.JWKSNoMatchingKey()
  }
  return (token) => verifyAccessToken(token, { findKey, issuer, algorithms: [...algorithms, 'HS256'] })
}

/** The project's published keys; during an outage the last known ones, for a limited time. */
function createPublishedKeys(url: URL, log: Pick<Log, 'warn'>): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(url, { timeoutDuration: timeoutMs, cooldownDuration: pauseBetweenFetchesMs })
  let lastGoodAt = Number.NEGATIVE_INFINITY
  let outage: { readonly at: number; readonly error: unknown } | undefined

  async function fetchKey(...args: Parameters<JWTVerifyGetKey>) {
    try {
      const key = await remote(...args)
      lastGoodAt = Date.now()
      outage = undefined
      return key
    } catch (error) {
      // The project answered and does not know the key.
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error
      if (error instanceof errors.JOSENotSupported) throw error
      if (!outage) log.warn({ err: error }, 'couldn’t fetch the keys of the Supabase project')
      outage = { at: Date.now(), error }
      throw error
    }
  }

  return async (...args) => {
    const known = remote.jwks()
    try {
      if (known && outage && Date.now() - outage.at < pauseInOutageMs) throw outage.error
      return await fetchKey(...args)
    } catch (error) {
      if (!outage || !known || Date.now() - lastGoodAt > outagePatienceMs) throw error
      try {
        return await createLocalJWKSet(known)(...args)
      } catch {
        throw error
      }
    }
  }
}
