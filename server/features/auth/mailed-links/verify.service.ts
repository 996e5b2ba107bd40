import { v4 as uuidV4 } from 'uuid'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { readEmail } from '../accounts/account-data.ts'
import { confirmEmail, findUserByEmail, type User, wasInvitedSince } from '../accounts/users.queries.ts'
import { type AuthParts, audit, isBanned } from '../auth-parts.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { beginSession, type SessionGrant } from '../sessions/session.service.ts'
import { issueCode } from '../sign-in/flow-states.queries.ts'
import { confirmEmailChange, findUserByNewEmail } from '../user/change-email.service.ts'
import { findPurposes, isLinkType, methodOf } from './link-type.ts'
import { hashCode, hashLinkToken, pkcePrefix } from './one-time-secret.ts'
import { clearSecrets, type FoundSecret, findRecipient, findSecretByCode, findSecretByLink } from './secrets.queries.ts'
import { lifeMinutes } from './send-secret.ts'

/** The result of a clicked link. */
export type VerifiedLink =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'session'; readonly grant: SessionGrant }
  | { readonly kind: 'half_done' }
  | { readonly kind: 'refused'; readonly error: AuthError }

/** The message after the first of two confirmations. */
export const halfDoneMessage = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

const badLink = 'Email link is invalid or has expired'

/** Whether the link's email went to a host whose scanners open links as people do. Uses nothing up. */
export async function isScannedLink(parts: AuthParts, linkToken: string): Promise<boolean> {
  const recipient = await parts.database.asAuthAdmin('recipient of an emailed link', (tx) =>
    findRecipient(tx, hashLinkToken(linkToken)),
  )
  return recipient !== undefined && parts.isScanned(recipient)
}

/**
 * Uses up the link of an email.
 *
 * @throws AuthError `otp_expired` or `user_banned`, ProductError `read_only`. A link whose flow no longer exists still confirms the address; only
 * the sign-in after it is refused.
 */
export async function verifyLink(
  parts: AuthParts,
  { linkToken, type }: { linkToken: string; type: string },
  client: Client,
): Promise<VerifiedLink> {
  if (!isLinkType(type)) throw new AuthError('otp_expired', { message: badLink })
  return parts.database.asAuthAdmin('verification of an emailed link', async (tx) => {
    refuseRecovery(parts, type)
    const found = await findSecretByLink(tx, [hashLinkToken(linkToken)], findPurposes(type) ?? [])
    const user = await useSecret(parts, tx, checkSecret(found, badLink), client)
    if (!user) return { kind: 'half_done' }
    if (!linkToken.startsWith(pkcePrefix)) {
      return { kind: 'session', grant: await beginSession(tx, { userId: user.id, method: 'otp', client }) }
    }
    const code = uuidV4()
    const hasFlow = await issueCode(tx, { userId: user.id, method: methodOf(type), code })
    if (!hasFlow) return { kind: 'refused', error: new AuthError('flow_state_not_found', { status: 400 }) }
    return { kind: 'code', code }
  })
}

/**
 * Uses up a link token from a request body, or a six-digit code.
 *
 * @returns undefined after the first of two confirmations.
 * @throws AuthError `otp_expired`, `user_banned` or `over_request_rate_limit` after too many wrong codes.
 */
export async function verifySecret(
  parts: AuthParts,
  { type, ...secret }: { type: string } & ({ linkToken: string } | { email: string; code: string }),
  client: Client,
): Promise<SessionGrant | undefined> {
  const purposes = findPurposes(type)
  if (!purposes) throw new AuthError('otp_expired')
  if ('code' in secret) {
    readEmail(secret.email)
    const retryAfterSeconds = await parts.limits.code.take(secret.email.toLowerCase())
    if (retryAfterSeconds !== undefined) throw new AuthError('over_request_rate_limit', { retryAfterSeconds })
  }
  refuseRecovery(parts, type)
  return parts.database.asAuthAdmin('verification of an emailed secret', async (tx) => {
    const found =
      'code' in secret
        ? await findByCode(tx, { type, purposes, email: secret.email.toLowerCase(), code: secret.code })
        : await findSecretByLink(tx, hashEitherToken(secret.linkToken), purposes)
    const user = await useSecret(parts, tx, checkSecret(found, 'code' in secret ? undefined : badLink), client)
    return user && beginSession(tx, { userId: user.id, method: 'otp', client })
  })
}

/** While the instance is read-only, no new password can be set: the link would be used up for nothing. */
function refuseRecovery({ readOnly }: AuthParts, type: string): void {
  if (type === 'recovery') readOnly.requireWrites()
}

function hashEitherToken(linkToken: string): string[] {
  const bare = linkToken.startsWith(pkcePrefix) ? linkToken.slice(pkcePrefix.length) : linkToken
  return [hashLinkToken(bare), hashLinkToken(pkcePrefix + bare)]
}

async function findByCode(
  tx: AuthTx,
  asked: { type: string; purposes: NonNullable<ReturnType<typeof findPurposes>>; email: string; code: string },
): Promise<FoundSecret | undefined> {
  const { type, purposes, email, code } = asked
  const codeHash = hashCode(email, code)
  const owner = await findUserByEmail(tx, email, { lock: true })
  const found = owner && findSecretByCode(owner, codeHash, purposes)
  if (found || type !== 'email_change') return found
  // No account has the new address yet.
  const mover = await findUserByNewEmail(tx, email)
  return mover && findSecretByCode(mover, codeHash, ['email_change_new'])
}

function checkSecret(found: FoundSecret | undefined, message: string | undefined): FoundSecret {
  if (!found || Date.now() > found.sentAt.getTime() + lifeMinutes[found.purpose] * 60_000) {
    throw new AuthError('otp_expired', message === undefined ? {} : { message })
  }
  if (isBanned(found.user)) throw new AuthError('user_banned', { status: 403 })
  return found
}

/**
 * Performs the secret's purpose. @returns the account to sign in to; undefined after the first of two confirmations.
 */
async function useSecret(
  parts: AuthParts,
  tx: AuthTx,
  { purpose, user }: FoundSecret,
  client: Client,
): Promise<User | undefined> {
  // Whatever is more than a sign-in: a refusal takes the transaction back, so that the secret works afterwards.
  if (purpose.startsWith('email_change') || user.email_confirmed_at === null) parts.readOnly.requireWrites()
  if (purpose === 'email_change_new' || purpose === 'email_change_current') {
    return confirmEmailChange(parts, tx, { user, purpose, client })
  }
  if (user.email_confirmed_at !== null) {
    await clearSecrets(tx, user.id, ['confirmation', 'recovery'])
    return user
  }
  await clearSecrets(tx, user.id)
  // Only the sign-up's own email vouches for its password, and only while no one else has written to the address. Any
  // other proves just the address, and the password may belong to an attacker who waits for the owner to confirm.
  const dropAccess = purpose !== 'confirmation' || (await wasInvitedSince(tx, user))
  const confirmed = await confirmEmail(tx, user, { dropAccess })
  await audit(tx, { action: 'user_signedup', logType: 'team', user, client })
  return confirmed
}
