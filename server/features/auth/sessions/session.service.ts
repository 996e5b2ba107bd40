import { v4 as uuidV4 } from 'uuid'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { recordAccountEvent } from '../accounts/account-events.queries.ts'
import { findIdentities, findUserById, type Identity, type User } from '../accounts/users.queries.ts'
import { type AuthParts, audit } from '../auth-parts.ts'
import type { AccessClaims, AuthenticationMethod } from '../keys/access-token.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { toUserJson } from '../protocol/user-json.ts'
import { createRefreshTokenKey, formatRefreshToken } from './refresh-token.ts'
import * as sessions from './sessions.queries.ts'

/** The data of a session response; read in a transaction, signed after it. */
export interface SessionGrant {
  readonly sessionId: string
  readonly user: User
  readonly identities: readonly Identity[]
  readonly methods: readonly AuthenticationMethod[]
  readonly refreshToken: string
}

/** Begins a session for a user who has just authenticated. */
export async function beginSession(
  tx: AuthTx,
  { userId, method, client }: { userId: string; method: string; client: Client },
): Promise<SessionGrant> {
  const sessionId = uuidV4()
  const key = createRefreshTokenKey()
  await sessions.insertSession(tx, { id: sessionId, userId, refreshTokenKey: key, method, ...client })
  const user = await findUserById(tx, userId)
  if (!user) throw new AuthError('user_not_found')
  await audit(tx, { action: 'login', logType: 'account', user, client })
  return describeGrant(tx, user, sessionId, formatRefreshToken({ sessionId, counter: 0 }, key))
}

/** Reads the data of a session response. */
export async function describeGrant(
  tx: AuthTx,
  user: User,
  sessionId: string,
  refreshToken: string,
): Promise<SessionGrant> {
  const identities = await findIdentities(tx, user.id)
  const methods = await sessions.findMethods(tx, sessionId)
  return { sessionId, user, identities, methods, refreshToken }
}

/** The session as the client library expects it, with a freshly signed access token. */
export async function toSessionJson(
  { tokens, settings }: AuthParts,
  grant: SessionGrant,
): Promise<Record<string, unknown>> {
  const issuedAt = Math.floor(Date.now() / 1000)
  const expiresAt = issuedAt + settings.jwtExpSeconds
  return {
    access_token: await tokens.sign(toClaims(grant), issuedAt, expiresAt),
    token_type: 'bearer',
    expires_in: settings.jwtExpSeconds,
    expires_at: expiresAt,
    refresh_token: grant.refreshToken,
    user: toUserJson(grant.user, grant.identities),
  }
}

function toClaims({ user, sessionId, methods }: SessionGrant): AccessClaims {
  return {
    aud: 'authenticated',
    sub: user.id,
    email: user.email ?? '',
    phone: '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: 'authenticated',
    aal: 'aal1',
    amr: methods,
    session_id: sessionId,
    is_anonymous: false,
  }
}

export type SignOutScope = 'global' | 'local' | 'others'

/** Ends sessions of the token's user. */
export async function signOut(
  parts: AuthParts,
  { user, sessionId, scope, client }: { user: User; sessionId: string; scope: SignOutScope; client: Client },
): Promise<void> {
  await parts.database.asAuthAdmin('sign-out', async (tx) => {
    await sessions.deleteSessions(tx, { userId: user.id, sessionId, scope })
    await audit(tx, { action: 'logout', logType: 'account', user, client })
    // A plain sign-out of this device changes nothing for anyone else.
    if (scope === 'local') return
    const payload = { scope: scope === 'global' ? 'all' : 'others' } as const
    await recordAccountEvent(tx, { userId: user.id, name: 'account.sessions_ended', payload, isOwn: true })
  })
}

/**
 * The user of an access token whose session still exists.
 *
 * @throws AuthError `user_not_found` or `session_not_found`.
 */
export async function getSignedInUser(
  parts: AuthParts,
  { sub, session_id: sessionId }: Pick<AccessClaims, 'sub' | 'session_id'>,
): Promise<{ user: User; identities: Identity[] }> {
  return parts.database.asAuthAdmin('session check', async (tx) => {
    const user = await findUserById(tx, sub)
    if (!user) throw new AuthError('user_not_found')
    if (!(await sessions.isSessionOf(tx, sessionId, sub))) throw new AuthError('session_not_found')
    return { user, identities: await findIdentities(tx, user.id) }
  })
}
