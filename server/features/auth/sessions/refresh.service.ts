import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { findUserById } from '../accounts/users.queries.ts'
import { type AuthParts, audit, isBanned } from '../auth-parts.ts'
import { AuthError } from '../protocol/auth-error.ts'
import * as imported from './imported-tokens.queries.ts'
import { createRefreshTokenKey, formatRefreshToken, isRefreshTokenGenuine, parseRefreshToken } from './refresh-token.ts'
import { describeGrant, type SessionGrant } from './session.service.ts'
import * as sessions from './sessions.queries.ts'

/** A presented token with its session, whose row is locked, and the verdict. */
interface Presented {
  readonly session: sessions.Session
  readonly verdict:
    | { readonly action: 'replace'; readonly key: string; readonly counter: number }
    | { readonly action: 'repeat'; readonly activeToken: string }
    | { readonly action: 'end session' }
}

/**
 * Exchanges a refresh token for a new session answer.
 *
 * Each session has one active token. A refresh replaces it by its successor. An older one gets the active token again
 * when it is the active one's parent (its holder never got the response) or within a few seconds of the last refresh
 * (several tabs at once); else it was stolen or copied, and the whole session ends, for thief and owner alike.
 *
 * Sessions imported from Supabase come with tokens of the first generation: twelve characters, stored. The first
 * refresh replaces such a token by a signed one; the stored row then represents the signed token's parent, so that the
 * rules apply across the change.
 *
 * @throws AuthError `validation_failed`, `refresh_token_not_found`, `refresh_token_already_used`, `session_not_found`,
 * `session_expired`, `user_banned`, or `conflict` after five seconds of waiting for others.
 */
export async function refreshSession(parts: AuthParts, token: string, client: Client): Promise<SessionGrant> {
  const intervalSeconds = parts.settings.refreshTokenReuseIntervalSeconds
  const present = isFirstGeneration(token) ? presentImportedToken : presentSignedToken
  const outcome = await parts.database.asAuthAdmin('refresh of a session', async (tx) => {
    const { session, verdict } = await present(tx, token, intervalSeconds)
    const user = await findUserById(tx, session.userId)
    if (!user) throw new AuthError('refresh_token_not_found')
    if (isBanned(user)) throw new AuthError('user_banned', { message: 'Invalid Refresh Token: User Banned' })
    if (session.isOver) throw new AuthError('session_expired')
    if (verdict.action === 'end session') {
      await sessions.deleteSessions(tx, { userId: user.id, sessionId: session.id, scope: 'local' })
      await audit(tx, { action: 'token_revoked', logType: 'token', user, client })
      // Returned, not thrown: the revocation must outlive the refusal.
      return { refused: new AuthError('refresh_token_already_used') }
    }
    if (verdict.action === 'repeat') {
      return { grant: await describeGrant(tx, user, session.id, verdict.activeToken) }
    }
    const { key, counter } = verdict
    await sessions.advanceSession(tx, { id: session.id, key, counter, ...client })
    await audit(tx, { action: 'token_refreshed', logType: 'token', user, client })
    return {
      grant: await describeGrant(tx, user, session.id, formatRefreshToken({ sessionId: session.id, counter }, key)),
    }
  })
  if ('refused' in outcome) throw outcome.refused
  return outcome.grant
}

async function presentSignedToken(tx: AuthTx, token: string, intervalSeconds: number): Promise<Presented> {
  const presented = parseRefreshToken(token)
  if (!presented) throw new AuthError('validation_failed', { message: 'Refresh token is not valid' })
  const session = await sessions.lockSession(tx, presented.sessionId, intervalSeconds)
  const key = session?.refreshTokenKey
  if (!session || !key || !isRefreshTokenGenuine(token, key) || presented.counter > session.counter) {
    throw new AuthError('refresh_token_not_found')
  }
  const age = session.counter - presented.counter
  if (age === 0) return { session, verdict: { action: 'replace', key, counter: session.counter + 1 } }
  return { session, verdict: judgeOlder(session, key, age === 1) }
}

async function presentImportedToken(tx: AuthTx, token: string, intervalSeconds: number): Promise<Presented> {
  const sessionId = await imported.findSessionIdOfToken(tx, token)
  if (sessionId === undefined) throw new AuthError('refresh_token_not_found')
  if (sessionId === null) {
    throw new AuthError('session_not_found', { status: 400, message: 'Invalid Refresh Token: No Valid Session Found' })
  }
  const session = await sessions.lockSession(tx, sessionId, intervalSeconds)
  // Read under the session's lock: another request may have replaced the token in the meantime.
  const found = session && (await imported.findToken(tx, token, intervalSeconds))
  if (!found) throw new AuthError('refresh_token_not_found')
  if (session.refreshTokenKey) return { session, verdict: judgeOlder(session, session.refreshTokenKey, isParent()) }
  if (!found.isRevoked) {
    await imported.retireTokens(tx, session.id)
    return { session, verdict: { action: 'replace', key: createRefreshTokenKey(), counter: 0 } }
  }
  // Revoked before the import: the active token is another imported one.
  const active = await imported.findActiveToken(tx, session.id)
  const mayRepeat = active !== undefined && (active.parent === token || found.isWithinReuseInterval)
  return { session, verdict: mayRepeat ? { action: 'repeat', activeToken: active.token } : { action: 'end session' } }

  function isParent(): boolean {
    return found?.isLastRetired === true && session?.counter === 0
  }
}

function judgeOlder(session: sessions.Session, key: string, isParent: boolean): Presented['verdict'] {
  if (!isParent && !session.isWithinReuseInterval) return { action: 'end session' }
  return { action: 'repeat', activeToken: formatRefreshToken({ sessionId: session.id, counter: session.counter }, key) }
}

function isFirstGeneration(token: string): boolean {
  return /^[a-z0-9]{12}$/.test(token)
}
