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
 * Signs up with address and password: a session where addresses need no confirmation, else the user, whose mail is
 * queued. For an address with a confirmed account the answer looks alike, and no mail goes out.
 *
 * @throws AuthError for what is wrong with the request, `user_already_exists` (only without confirmation) or
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
  // Before anyone is looked up, so that known addresses take as long as unknown ones.
  await endOtherSignUps(parts, email, request.password)
  const passwordHash = await hashPassword(request.password)

  return parts.database.asAuthAdmin('sign-up', async (tx) => {
    const inserted = await insertEmailUser(tx, { id: uuidV4(), email, passwordHash, metadata, isConfirmed })
    if (inserted && isConfirmed) {
      await audit(tx, { action: 'user_signedup', logType: 'team', user: inserted, client })
      return { grant: await beginSession(tx, { userId: inserted.id, method: 'password', client }) }
    }
    const user = inserted ?? (await findUserByEmail(tx, email, { lock: true }))
    // Made and deleted again in this very moment.
    if (!user) throw new AuthError('conflict', { message: 'Please try again' })
    if (isConfirmed) throw new AuthError('user_already_exists')
    if (user.email_confirmed_at !== null) {
      await audit(tx, { action: 'user_repeated_signup', logType: 'user', user, client })
      // A new account would not show it either.
      return { userJson: createDecoyUserJson(email, { ...metadata, invitation_token: undefined }) }
    }
    const pending = await sendConfirmation(parts, tx, { ...request, user, isNew: inserted !== undefined })
    return { userJson: toUserJson(pending, await findIdentities(tx, user.id)) }
  })
}

/**
 * Closes an account that waits for its confirmation to whoever else signed up with the address. Of two people who chose
 * different passwords only one can own it, and the link is opened by that one whoever came first: so neither password
 * opens the account, and its owner chooses one by mail. In a transaction of its own: it holds even if the mail is refused.
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
 * Sends the mail that a sign-up waits for. A new account's first mail always goes: a stranger's earlier "resend" for
 * the address must not hold it up.
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
  const secret = { user, to, purpose: 'confirmation', linkType: 'signup' } as const
  return sendSecret(parts, tx, { ...secret, action: 'user_confirmation_requested', queue: queueConfirmSignUp }, request)
}
