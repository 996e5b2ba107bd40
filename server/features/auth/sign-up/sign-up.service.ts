import { v4 as uuidV4 } from 'uuid'
import { beginEmailPause, queueConfirmSignUp } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import { checkNewPassword, hashPassword } from '../accounts/password.ts'
import {
  findIdentities,
  findUserByEmail,
  insertEmailUser,
  saveConfirmationSecret,
  type User,
} from '../accounts/users.queries.ts'
import { type AuthParts, audit, type Client, spendMail } from '../auth-parts.ts'
import { createOneTimeSecret } from '../mailed-links/one-time-secret.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { runAtEvenPace } from '../protocol/even-pace.ts'
import { createDecoyUserJson, toUserJson } from '../protocol/user-json.ts'
import { beginSession, type SessionGrant } from '../sessions/session.service.ts'
import { insertFlowState } from '../sign-in/flow-states.queries.ts'
import type { CodeChallenge } from '../sign-in/pkce.ts'

/** How long a sign-up link works, from the moment its mail was queued. */
export const confirmationLifeHours = 24

export const signUpMethod = 'email/signup'

// It travels in every access token, and those in headers of at most 16 kB.
const maxMetadataBytes = 4096

// Queuing a mail takes some ten milliseconds, finding that there is none to send takes two.
const resendPaceMs = 100

export interface SignUp {
  readonly email: string
  readonly password: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly challenge: CodeChallenge | undefined
  readonly redirectTo: string
  readonly client: Client
}

/** Lower-cases the address. @throws AuthError `validation_failed` when it is none. */
function readEmail(email: string): string {
  if (!isEmailAddress(email)) {
    throw new AuthError('validation_failed', { message: 'Unable to validate email address: invalid format' })
  }
  return email.toLowerCase()
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
  if (Buffer.byteLength(JSON.stringify(request.metadata)) > maxMetadataBytes) {
    throw new AuthError('validation_failed', { message: `User metadata is limited to ${maxMetadataBytes} bytes` })
  }
  const { client, metadata } = request
  const email = readEmail(request.email)
  const isConfirmed = parts.settings.mailerAutoconfirm
  checkNewPassword(request.password, parts.settings.passwordMinLength)
  // Before anyone is looked up, so that known addresses take as long as unknown ones.
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
      return { userJson: createDecoyUserJson(email, metadata) }
    }
    const pending = await sendConfirmation(parts, tx, { ...request, user, isNew: inserted !== undefined })
    return { userJson: toUserJson(pending, await findIdentities(tx, user.id)) }
  })
}

/**
 * Sends the sign-up mail again, if the address waits for one. The answer and its pace are the same when it does not.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
export async function resendConfirmation(
  parts: AuthParts,
  request: Omit<SignUp, 'password' | 'metadata'>,
): Promise<void> {
  const email = readEmail(request.email)
  await runAtEvenPace(resendPaceMs, () =>
    parts.database.asAuthAdmin('resend of a sign-up mail', async (tx) => {
      const user = await findUserByEmail(tx, email, { lock: true })
      if (user && user.email_confirmed_at === null) {
        await sendConfirmation(parts, tx, { ...request, user, isNew: false })
      } else {
        await beginPause(parts, tx, email, false)
      }
    }),
  )
}

export async function sendConfirmation(
  parts: AuthParts,
  tx: AuthTx,
  {
    user,
    isNew,
    challenge,
    redirectTo,
    client,
  }: Pick<SignUp, 'challenge' | 'redirectTo' | 'client'> & { user: User; isNew: boolean },
): Promise<User> {
  const email = user.email ?? ''
  await beginPause(parts, tx, email, isNew)
  await spendMail(parts, tx)

  const secret = createOneTimeSecret(email, challenge !== undefined)
  const pending = await saveConfirmationSecret(tx, { id: user.id, email, ...secret })
  if (challenge) {
    await insertFlowState(tx, { id: uuidV4(), userId: user.id, challenge, method: signUpMethod, redirectTo })
  }
  await queueConfirmSignUp(tx, {
    appUrl: parts.appUrl,
    to: email,
    link: formatLink(parts.appUrl, { token: secret.linkToken, type: 'signup', redirectTo }),
    code: secret.code,
    validMinutes: confirmationLifeHours * 60,
  })
  await audit(tx, { action: 'user_confirmation_requested', logType: 'user', user, client })
  return pending
}

// A new account's first mail always goes: a stranger's earlier "resend" for the address must not hold it up.
async function beginPause(parts: AuthParts, tx: AuthTx, email: string, isNew: boolean): Promise<void> {
  const seconds = isNew ? 0 : parts.settings.smtpMaxFrequencySeconds
  const wait = await beginEmailPause(tx, 'confirm_sign_up', email, seconds)
  if (wait > 0) {
    throw new AuthError('over_email_send_rate_limit', {
      message: `For security purposes, you can only request this after ${wait} seconds.`,
      retryAfterSeconds: wait,
    })
  }
}

// The configured address, whatever host the request named: a forged one must not get the secret.
function formatLink(
  appUrl: string,
  { token, type, redirectTo }: { token: string; type: string; redirectTo: string },
): string {
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo })
  return `${appUrl}/auth/v1/verify?${query}`
}
