import { v4 as uuidV4 } from 'uuid'
import { queueConfirmSignUp } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import { checkMetadata, readEmail } from '../accounts/account-data.ts'
import { checkNewPassword, hashPassword, isPasswordCorrect } from '../accounts/password.ts'
import {
  dropUnprovenAccess,
  findIdentities,
  findUserByEmail,
  insertEmailUser,
  type User,
} from '../accounts/users.queries.ts'
import { type AuthParts, audit } from '../auth-parts.ts'
import { pretendToSpendMail } from '../mail-budgets.ts'
import { beginPause, type LinkRequest, sendSecret } from '../mailed-links/send-secret.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { createDecoyUserJson, toUserJson } from '../protocol/user-json.ts'
import { beginSession, type SessionGrant } from '../sessions/session.service.ts'

export interface SignUp extends LinkRequest {
  readonly email: string
  readonly password: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/**
 * Signs up with address and password: a session where addresses need no confirmation, else the user, whose email is
 * queued. For an address with a confirmed account the answer looks the same, and no email is sent.
 *
 * @throws AuthError for an invalid request, `user_already_exists` (only without confirmation) or
 * `over_email_send_rate_limit`.
 */
export async function signUp(
  parts: AuthParts,
  request: SignUp,
): Promise<{ grant: SessionGrant } | { userJson: Record<string, unknown> }> {
  checkMetadata(request.metadata)
  const { client, metadata } = request
  const email = readEmail(request.email)
  const isConfirmed = parts.settings.mailerAutoconfirm
  checkNewPassword(request.password, parts.settings.passwordMinLength)
  // Before the lookup, so that known addresses take as long as unknown ones.
  await endOtherSignUps(parts, email, request.password)
  const passwordHash = await hashPassword(request.password)

  return parts.database.asAuthAdmin('sign-up', async (tx) => {
    const inserted = await insertEmailUser(tx, { id: uuidV4(), email, passwordHash, metadata, isConfirmed })
    if (inserted && isConfirmed) {
      await audit(tx, { action: 'user_signedup', logType: 'team', user: inserted, client })
      return { grant: await beginSession(tx, { userId: inserted.id, method: 'password', client }) }
    }
    const user = inserted ?? (await findUserByEmail(tx, email, { lock: true }))
    // Created and deleted again by concurrent requests.
    if (!user) throw new AuthError('conflict', { message: 'Please try again' })
    if (isConfirmed) throw new AuthError('user_already_exists')
    if (user.email_confirmed_at !== null) {
      await pretendToSpendMail(parts, tx, 'new')
      await audit(tx, { action: 'user_repeated_signup', logType: 'user', user, client })
      // A new account's answer has no such field either.
      return { userJson: createDecoyUserJson(email, { ...metadata, invitation_token: undefined }) }
    }
    const pending = await sendConfirmation(parts, tx, { ...request, user, isNew: inserted !== undefined })
    return { userJson: toUserJson(pending, await findIdentities(tx, user.id)) }
  })
}

/**
 * Removes the password of an unconfirmed account when the same address signs up with another one. Of two people with
 * different passwords only one owns the address, and that one opens the link, first or not: so neither password works,
 * and the owner sets one by email. In a transaction of its own: it is committed even if the email is refused.
 */
async function endOtherSignUps(parts: AuthParts, email: string, password: string): Promise<void> {
  const before = await parts.database.asAuthAdmin('sign-up', (tx) => findUserByEmail(tx, email))
  const isSamePassword = await isPasswordCorrect(password, before?.encrypted_password)
  if (!before || before.email_confirmed_at !== null || isSamePassword) return
  await parts.database.asAuthAdmin('second sign-up with one address', async (tx) => {
    const user = await findUserByEmail(tx, email, { lock: true })
    if (user?.id === before.id && user.email_confirmed_at === null) await dropUnprovenAccess(tx, user)
  })
}

/**
 * Sends the sign-up's confirmation email. A new account's first email skips the pause: a stranger's earlier "resend"
 * for the address must not delay it.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
export async function sendConfirmation(
  parts: AuthParts,
  tx: AuthTx,
  { user, isNew, ...request }: LinkRequest & { user: User; isNew: boolean },
): Promise<User> {
  const to = user.email ?? ''
  await beginPause(parts, tx, 'confirm_sign_up', to, isNew ? 0 : undefined)
  const secret = { user, to, purpose: 'confirmation', linkType: 'signup', keepsSignUp: true } as const
  return sendSecret(parts, tx, { ...secret, action: 'user_confirmation_requested', queue: queueConfirmSignUp }, request)
}
