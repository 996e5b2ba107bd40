import { timingSafeEqual } from 'node:crypto'
import { v4 as uuidV4 } from 'uuid'
import type { AuthTx } from '#server/platform/database/database.ts'
import { confirmEmail, findUserByEmail, findUserByLinkToken, type User } from '../accounts/users.queries.ts'
import { type AuthParts, audit, type Client, isBanned } from '../auth-parts.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { beginSession, type SessionGrant } from '../sessions/session.service.ts'
import { issueCode } from '../sign-in/flow-states.queries.ts'
import { confirmationLifeHours, signUpMethod } from '../sign-up/sign-up.service.ts'
import { hashCode, hashLinkToken, pkcePrefix } from './one-time-secret.ts'

/** What a clicked link leads to. */
export type VerifiedLink =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'session'; readonly grant: SessionGrant }
  | { readonly kind: 'refused'; readonly error: AuthError }

/**
 * Confirms an address by the link of its mail, once.
 *
 * @throws AuthError `otp_expired` or `user_banned`. A link whose browser's flow is gone confirms the address all the
 * same; only the sign-in that would follow is refused.
 */
export async function verifyLink(parts: AuthParts, linkToken: string, client: Client): Promise<VerifiedLink> {
  return parts.database.asAuthAdmin('confirmation of an address', async (tx) => {
    const user = await findUserByLinkToken(tx, [hashLinkToken(linkToken)])
    checkPending(user, 'Email link is invalid or has expired')
    await confirm(tx, user, client)
    if (!linkToken.startsWith(pkcePrefix)) {
      return { kind: 'session', grant: await beginSession(tx, { userId: user.id, method: 'otp', client }) }
    }
    const code = uuidV4()
    const hasFlow = await issueCode(tx, { userId: user.id, method: signUpMethod, code })
    if (!hasFlow) return { kind: 'refused', error: new AuthError('flow_state_not_found', { status: 400 }) }
    return { kind: 'code', code }
  })
}

/**
 * Confirms an address by a link's token handed over as such, or by the code of six digits.
 *
 * @throws AuthError `otp_expired`, `user_banned` or `over_request_rate_limit` after too many wrong codes.
 */
export async function verifySecret(
  parts: AuthParts,
  secret: { linkToken: string } | { email: string; code: string },
  client: Client,
): Promise<SessionGrant> {
  if ('code' in secret) {
    const retryAfterSeconds = await parts.limits.code.take(secret.email.toLowerCase())
    if (retryAfterSeconds !== undefined) throw new AuthError('over_request_rate_limit', { retryAfterSeconds })
  }
  return parts.database.asAuthAdmin('confirmation of an address', async (tx) => {
    const user = 'code' in secret ? await findUserByCode(tx, secret) : await findUserByEitherToken(tx, secret.linkToken)
    checkPending(user, 'code' in secret ? undefined : 'Email link is invalid or has expired')
    await confirm(tx, user, client)
    return beginSession(tx, { userId: user.id, method: 'otp', client })
  })
}

function findUserByEitherToken(tx: AuthTx, linkToken: string): Promise<User | undefined> {
  const bare = linkToken.startsWith(pkcePrefix) ? linkToken.slice(pkcePrefix.length) : linkToken
  return findUserByLinkToken(tx, [hashLinkToken(bare), hashLinkToken(pkcePrefix + bare)])
}

async function findUserByCode(tx: AuthTx, { email, code }: { email: string; code: string }): Promise<User | undefined> {
  const user = await findUserByEmail(tx, email.toLowerCase(), { lock: true })
  const given = Buffer.from(hashCode(email.toLowerCase(), code))
  const expected = Buffer.from(user?.confirmation_token ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected) ? user : undefined
}

function checkPending(user: User | undefined, message: string | undefined): asserts user is User {
  const sentAt = user?.confirmation_sent_at?.getTime() ?? 0
  if (!user || Date.now() > sentAt + confirmationLifeHours * 3_600_000) {
    throw new AuthError('otp_expired', message === undefined ? {} : { message })
  }
  if (isBanned(user)) throw new AuthError('user_banned', { status: 403 })
}

async function confirm(tx: AuthTx, user: User, client: Client): Promise<void> {
  await confirmEmail(tx, user.id)
  await audit(tx, { action: 'user_signedup', logType: 'team', user, client })
}
