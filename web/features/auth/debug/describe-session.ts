import type { Session } from '@supabase/auth-js'
import { readClaims } from '../sign-in-method.ts'

/** The parts of a session that its owner may see and share: all but the tokens. */
export interface SessionReport {
  readonly session: {
    readonly expiresAt: string | null
    readonly algorithm: string | null
    readonly keyId: string | null
  }
  readonly user: {
    readonly id: string
    readonly email: string | null
    readonly provider: string
    readonly emailConfirmedAt: string | null
    readonly isVerified: boolean
    readonly createdAt: string
  }
  readonly organization: { readonly id: string; readonly name: string; readonly role: string }
  readonly isSuperadmin: boolean
  /** The claims of the access token, without the token. */
  readonly claims: Readonly<Record<string, unknown>>
}

const secretNames = /token|secret|password|credential|api_?key|authorization/i

/** Three parts of base64url with dots between them: a token, whatever its name. */
const tokenPattern = /\b[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}\b/

/** Claims as they may be shown: anything that is a token or named like one is left out, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return tokenPattern.test(value) ? '[left out]' : value
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !secretNames.test(name))
      .map(([name, inner]) => [name, withoutSecrets(inner)]),
  )
}

/** Puts the report together. */
export function describeSession(
  session: Session,
  known: { isVerified: boolean; organization: SessionReport['organization']; isSuperadmin: boolean },
): SessionReport {
  const { user } = session
  const header = readHeader(session.access_token)
  return {
    session: {
      expiresAt: session.expires_at === undefined ? null : new Date(session.expires_at * 1000).toISOString(),
      algorithm: typeof header.alg === 'string' ? header.alg : null,
      keyId: typeof header.kid === 'string' ? header.kid : null,
    },
    user: {
      id: user.id,
      email: user.email ?? null,
      provider: user.app_metadata.provider ?? 'email',
      emailConfirmedAt: user.email_confirmed_at ?? null,
      isVerified: known.isVerified,
      createdAt: user.created_at,
    },
    organization: known.organization,
    isSuperadmin: known.isSuperadmin,
    // Objects stay objects.
    claims: withoutSecrets(readClaims(session.access_token)) as Record<string, unknown>,
  }
}

/** The first part of a token reads like the second. */
function readHeader(accessToken: string): Readonly<Record<string, unknown>> {
  return readClaims(`.${accessToken.split('.')[0] ?? ''}`)
}
