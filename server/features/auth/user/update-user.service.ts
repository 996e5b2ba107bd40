import { queuePasswordChanged } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import { checkMetadata, readEmail } from '../accounts/account-data.ts'
import { recordAccountEvent } from '../accounts/account-events.queries.ts'
import { checkNewPassword, hashPassword, isPasswordCorrect } from '../accounts/password.ts'
import { findIdentities, findUserById, type Identity, lockUser, type User } from '../accounts/users.queries.ts'
import { recordWrongProof } from '../accounts/wrong-proof.ts'
import { type AuthParts, audit, isBanned } from '../auth-parts.ts'
import type { AccessClaims } from '../keys/access-token.ts'
import { clearSecrets } from '../mailed-links/secrets.queries.ts'
import type { LinkRequest } from '../mailed-links/send-secret.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { deleteSessions, isSessionOf } from '../sessions/sessions.queries.ts'
import { deleteFlowsOf } from '../sign-in/flow-states.queries.ts'
import { beginEmailChange } from './change-email.service.ts'
import { checkNonce, isFresh } from './reauthenticate.service.ts'
import { savePassword, saveUserMetadata } from './update-user.queries.ts'

/** A signed-in person's account changes; undefined fields stay. Applied all or nothing. */
export interface UserChange extends LinkRequest {
  readonly email: string | undefined
  readonly password: string | undefined
  readonly currentPassword: string
  /** Code of the reauthentication email. */
  readonly nonce: string
  /** Merged into the existing metadata; null removes a key. */
  readonly data: Readonly<Record<string, unknown>>
}

type Claims = Pick<AccessClaims, 'sub' | 'session_id' | 'amr'>

/**
 * Changes the token's user.
 *
 * @throws AuthError `session_not_found`, `user_not_found`, `user_banned`, `validation_failed`, `weak_password`,
 * `same_password`, `current_password_required`, `current_password_invalid`, `reauthentication_needed`,
 * `reauthentication_not_valid`, `email_exists`, `over_request_rate_limit` or `over_email_send_rate_limit`.
 */
export async function updateUser(
  parts: AuthParts,
  claims: Claims,
  change: UserChange,
): Promise<{ user: User; identities: Identity[] }> {
  const newEmail = change.email === undefined ? undefined : readEmail(change.email)
  const before = await parts.database.asAuthAdmin('account change: read the account', (tx) => readSignedIn(tx, claims))
  // Between two transactions: hashing is slow, and must not hold a connection.
  const passwordHash =
    change.password === undefined ? undefined : await choosePassword(parts, claims, before, change.password, change)

  return parts.database.asAuthAdmin('change of an account', async (tx) => {
    if (!(await lockUser(tx, claims.sub))) throw new AuthError('user_not_found')
    const user = await readSignedIn(tx, claims)
    if (passwordHash !== undefined) {
      // The password was changed elsewhere during the check, so the check is void.
      if (user.encrypted_password !== before.encrypted_password)
        throw new AuthError('conflict', { message: 'Please try again' })
      if (needsNonce(parts, claims)) await checkNonce(tx, user, change.nonce)
      await savePassword(tx, user.id, passwordHash)
      await deleteSessions(tx, { userId: user.id, sessionId: claims.session_id, scope: 'others' })
      // An old link or code could undo this.
      await clearSecrets(tx, user.id)
      await deleteFlowsOf(tx, user.id)
      await audit(tx, { action: 'user_updated_password', logType: 'user', user, client: change.client })
      await recordAccountEvent(tx, { userId: user.id, name: 'account.password_changed', payload: {}, isOwn: true })
      if (user.email) {
        await queuePasswordChanged(tx, { appUrl: parts.appUrl, to: user.email, changedAt: new Date() })
      }
    }
    if (Object.keys(change.data).length > 0) {
      const metadata = mergeMetadata(user.raw_user_meta_data ?? {}, change.data)
      checkMetadata(metadata)
      await saveUserMetadata(tx, user.id, metadata)
      await audit(tx, { action: 'user_modified', logType: 'user', user, client: change.client })
    }
    if (newEmail !== undefined && newEmail !== user.email) {
      await beginEmailChange(parts, tx, { ...change, user, newEmail, sessionId: claims.session_id })
    }
    const after = await findUserById(tx, user.id)
    if (!after) throw new AuthError('user_not_found')
    return { user: after, identities: await findIdentities(tx, user.id) }
  })
}

async function readSignedIn(tx: AuthTx, { sub, session_id: sessionId }: Claims): Promise<User> {
  const user = await findUserById(tx, sub)
  if (!user) throw new AuthError('user_not_found')
  if (!(await isSessionOf(tx, sessionId, sub))) throw new AuthError('session_not_found')
  if (isBanned(user)) throw new AuthError('user_banned', { status: 403 })
  return user
}

/** Checks that the person may choose the password, and hashes it. */
async function choosePassword(
  parts: AuthParts,
  claims: Claims,
  user: User,
  password: string,
  { currentPassword }: Pick<UserChange, 'currentPassword'>,
): Promise<string> {
  checkNewPassword(password, parts.settings.passwordMinLength)
  const presentHash = user.encrypted_password ?? ''
  // Each checks the current password or an emailed code: an unattended session must not allow guessing.
  const retryAfterSeconds = await parts.limits.password.take(user.id)
  if (retryAfterSeconds !== undefined) throw new AuthError('over_request_rate_limit', { retryAfterSeconds })
  if (presentHash !== '') {
    if (currentPassword !== '') {
      if (!(await isPasswordCorrect(currentPassword, presentHash))) {
        await recordWrongProof(parts, user.id, 'password_change')
        throw new AuthError('current_password_invalid')
      }
    } else if (parts.settings.requireCurrentPassword && !provedAddress(claims)) {
      throw new AuthError('current_password_required')
    }
    if (await isPasswordCorrect(password, presentHash)) throw new AuthError('same_password')
  }
  return hashPassword(password)
}

const addressMethods = new Set(['recovery', 'magiclink', 'otp', 'invite'])

/** Whether the session recently began with an emailed link: its owner may have forgotten the password. */
function provedAddress({ amr }: Claims): boolean {
  return amr.some(({ method, timestamp }) => addressMethods.has(method) && isFresh(timestamp, 3600))
}

/** Whether a session is so old that a password change requires an emailed code. */
function needsNonce({ settings }: AuthParts, { amr }: Claims): boolean {
  return settings.requireReauthentication && !amr.some(({ timestamp }) => isFresh(timestamp, 24 * 3600))
}

// Fields that the server sets there can't be changed by the person.
const statedNames = new Set(['sub', 'email', 'email_verified', 'phone_verified'])

function mergeMetadata(
  present: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(present))
  for (const [name, value] of Object.entries(change)) {
    if (statedNames.has(name)) continue
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}
