import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import { impersonationModes } from '#contract/impersonations.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Actor, Impersonated } from '#server/platform/database/actor.ts'
import { ProductError } from '#server/platform/http/product-error.ts'

/*
 * Tokens of impersonations. They are signed with a key of their own, under a type, an issuer and an audience of their own:
 * no verifier of session tokens accepts one, neither ours nor a Supabase project's, and their lifetime needs no cooperation
 * of theirs. So they open `/api/v1` and nothing else.
 */

/** What a token says. */
interface TokenFacts {
  readonly impersonation: Impersonated
  readonly userId: string
  readonly email: string
  /** The superadmin's. */
  readonly sessionId: string
  readonly expiresAt: Date
}

const type = 'impersonation+jwt'
const audience = 'earshot-impersonation'
const maxTokenLength = 4096

export interface ImpersonationTokens {
  sign(facts: TokenFacts): Promise<string>
  /** The actor of a token; undefined for what is no token of an impersonation. @throws ProductError when it is not good. */
  verify(token: string): Promise<Actor | undefined>
}

/** @param key for these tokens alone. */
export function createImpersonationTokens(key: Uint8Array, issuer: string): ImpersonationTokens {
  return {
    sign: ({ impersonation: { id, superadminId, mode }, userId, email, sessionId, expiresAt }) =>
      // RFC 8693, section 4.1: `act` names who acts as the subject.
      new SignJWT({ role: 'authenticated', email, session_id: sessionId, mode, act: { sub: superadminId } })
        .setProtectedHeader({ alg: 'HS256', typ: type })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(id)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(key),

    verify: async (token) => {
      if (!isOfImpersonation(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          typ: type,
          issuer,
          audience,
          requiredClaims: ['sub', 'jti', 'exp', 'iat'],
        })
        const actor = readActor(payload)
        if (actor) return actor
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new ProductError('impersonation_ended', { cause: error })
        if (!(error instanceof errors.JOSEError)) throw error
      }
      throw new ProductError('unauthenticated')
    },
  }
}

/** Whether it claims to be one. Nothing is verified yet. */
function isOfImpersonation(token: string): boolean {
  if (token.length > maxTokenLength) return false
  try {
    return decodeProtectedHeader(token).typ === type
  } catch {
    return false
  }
}

function readActor(claims: Readonly<Record<string, unknown>>): Actor | undefined {
  const { sub: userId, jti: id, session_id: sessionId, email, mode: named } = claims
  // An object of any kind: what it names is checked below.
  const { sub: superadminId } = Object(claims.act) as { sub?: unknown }
  const mode = impersonationModes.find((each) => each === named)
  if (!isId(userId) || !isId(id) || !isId(sessionId) || !isId(superadminId)) return undefined
  if (typeof email !== 'string' || mode === undefined) return undefined
  return { userId, sessionId, email, claims, impersonation: { id, superadminId, mode } }
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value)
