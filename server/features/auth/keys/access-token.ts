import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { isUuid } from '#contract/uuid.ts'
import { createApiKeyLookup, type KeyRole } from './api-keys.ts'
import { getVerificationKey, type SigningKeys } from './signing-keys.ts'

/** A sign-in method of the session's user, with its time (seconds since 1970). */
export interface AuthenticationMethod {
  readonly method: string
  readonly timestamp: number
}

/** The claims of an access token. The names are GoTrue's; policies in the database read them. */
export interface AccessClaims {
  readonly sub: string
  readonly aud: 'authenticated'
  readonly role: 'authenticated'
  readonly email: string
  readonly phone: string
  readonly app_metadata: Readonly<Record<string, unknown>>
  readonly user_metadata: Readonly<Record<string, unknown>>
  readonly aal: 'aal1'
  readonly amr: readonly AuthenticationMethod[]
  readonly session_id: string
  readonly is_anonymous: false
}

/** Why a token was refused. */
export class AccessTokenError extends Error {
  readonly reason: 'expired' | 'invalid'

  constructor(reason: 'expired' | 'invalid', message: string) {
    super(message)
    this.name = 'AccessTokenError'
    this.reason = reason
  }
}

// Clocks of several servers differ a little.
const clockToleranceSeconds = 2
// Clocks of two servers may differ by more: a Supabase project signs by its own.
const maxFutureSeconds = 60
// Far above any token we sign; longer ones are refused without a signature check.
const maxTokenLength = 16_384

/** Signs and verifies access tokens. */
export interface AccessTokens {
  /** @param expiresAt seconds since 1970. */
  sign(claims: AccessClaims, issuedAt: number, expiresAt: number): Promise<string>
  /** @throws AccessTokenError */
  verify(token: string): Promise<AccessClaims & JWTPayload>
  /** The role of an API key, opaque or as a token; undefined for anything else, including a person's token. */
  findKeyRole(apiKey: string): Promise<KeyRole | undefined>
}

/** The algorithms of our keys; each key verifies its own only. */
const algorithms = ['ES256', 'RS256', 'HS256']
const pauseBetweenReadsMs = 5_000

/** @param issuer URL of the auth server, part of every token. */
export function createAccessTokens(keys: SigningKeys, issuer: string): AccessTokens {
  const findKey = createKeyFinder(keys)
  const findOpaqueKeyRole = createApiKeyLookup(keys.acceptedApiKeys)
  const { kid, algorithm, privateKey } = keys.current
  return {
    sign: (claims, issuedAt, expiresAt) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: algorithm, ...(kid !== '' && { kid }), typ: 'JWT' })
        .setIssuer(issuer)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey),

    verify: (token) => verifyAccessToken(token, { findKey, issuer, algorithms }),

    async findKeyRole(apiKey) {
      const role = findOpaqueKeyRole(apiKey)
      if (role || apiKey.length > maxTokenLength || apiKey.split('.').length !== 3) return role
      try {
        const { payload } = await jwtVerify(apiKey, findKey, { algorithms })
        // A person's token also names a role, but it has a subject; keys have none.
        const { role, sub } = payload
        return sub === undefined && (role === 'anon' || role === 'service_role') ? role : undefined
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Finds the key that a token names; when it is unknown, also among those created since this process started: when
 * several processes share a folder, the first one restarted after a rotation signs with a key that the others have not
 * loaded.
 */
function createKeyFinder({ verifiers, sharedSecret, rereadVerifiers }: SigningKeys): JWTVerifyGetKey {
  let known = verifiers
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  async function reread(): Promise<void> {
    known = await rereadVerifiers().catch(() => known)
    readAt = Date.now()
    reading = undefined
  }
  return async (header) => {
    const isUnknown = header.kid !== undefined && !known.some(({ kid }) => kid === header.kid)
    if (isUnknown && Date.now() - readAt > pauseBetweenReadsMs) {
      reading ??= reread()
      await reading
    }
    return getVerificationKey({ verifiers: known, sharedSecret }, header)
  }
}

/**
 * Verifies an access token of this server or of a compatible one.
 *
 * @throws AccessTokenError when the token is invalid; any other error when the keys are unavailable.
 */
export async function verifyAccessToken(
  token: string,
  { findKey, issuer, algorithms }: { findKey: JWTVerifyGetKey; issuer: string; algorithms: string[] },
): Promise<AccessClaims & JWTPayload> {
  if (token.length > maxTokenLength) throw new AccessTokenError('invalid', 'token is too long')
  let payload: JWTPayload
  try {
    const verified = await jwtVerify(token, findKey, {
      algorithms,
      issuer,
      audience: 'authenticated',
      typ: 'JWT',
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: clockToleranceSeconds,
    })
    payload = verified.payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new AccessTokenError('expired', 'token is expired')
    if (isKeyTrouble(error)) throw error
    throw new AccessTokenError('invalid', error instanceof errors.JOSEError ? error.message : 'token is malformed')
  }
  // A token from the future was forged, or signed by a clock that no expiry can be trusted from.
  if ((payload.iat ?? 0) > Date.now() / 1000 + maxFutureSeconds)
    throw new AccessTokenError('invalid', 'token was issued in the future')
  if (!isAccessClaims(payload)) throw new AccessTokenError('invalid', 'token lacks required claims')
  return payload
}

// The other server is unreachable or its response invalid: the token itself may be valid.
function isKeyTrouble(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true
  // `jwtVerify` and `fetch` throw errors.
  const { code, message } = error as { code?: string; message?: string }
  return (error instanceof TypeError && message === 'fetch failed') || code === 'ERR_JOSE_GENERIC'
}

function isAccessClaims(payload: JWTPayload): payload is AccessClaims & JWTPayload {
  return (
    payload.aud === 'authenticated' &&
    payload.role === 'authenticated' &&
    typeof payload.sub === 'string' &&
    isUuid(payload.sub) &&
    typeof payload.session_id === 'string' &&
    isUuid(payload.session_id) &&
    typeof payload.email === 'string'
  )
}
