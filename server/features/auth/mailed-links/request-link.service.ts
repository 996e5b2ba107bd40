import { v4 as uuidV4 } from 'uuid'
import { queueConfirmSignUp, queueMagicLink, queueRecovery } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import { checkMetadata, readEmail } from '../accounts/account-data.ts'
import { findUserByEmail, insertEmailUser, type User } from '../accounts/users.queries.ts'
import { type AuthParts, audit } from '../auth-parts.ts'
import { maySendToNew, pretendToSpendMail } from '../mail-budgets.ts'
import { runAtEvenPace } from '../protocol/even-pace.ts'
import { sendConfirmation } from '../sign-up/sign-up.service.ts'
import { sendEmailChange } from '../user/change-email.service.ts'
import { beginPause, type LinkRequest, sendSecret } from './send-secret.ts'

// Queuing an email takes some ten milliseconds and creating an account twenty; an unknown address takes two. This
// minimum duration hides all of these, and a refusal within a pause.
const paceMs = 150

type AddressRequest = LinkRequest & { readonly email: string }

/**
 * Does the work for an address so that neither the answer nor its duration reveals whether it has an account.
 *
 * @throws AuthError `validation_failed` or `over_email_send_rate_limit`
 */
function workEvenly(parts: AuthParts, reason: string, work: (tx: AuthTx) => Promise<void>): Promise<void> {
  return runAtEvenPace(paceMs, () => parts.database.asAuthAdmin(reason, work))
}

/** Resends the sign-up email, if the address is unconfirmed. @throws as {@link workEvenly} */
export async function resendConfirmation(parts: AuthParts, request: AddressRequest): Promise<void> {
  const email = readEmail(request.email)
  await workEvenly(parts, 'resend of a sign-up email', async (tx) => {
    const user = await findUserByEmail(tx, email, { lock: true })
    const isPending = user?.email_confirmed_at === null
    if (user && isPending) await sendConfirmation(parts, tx, { ...request, user, isNew: false })
    else {
      await beginPause(parts, tx, 'confirm_sign_up', email)
      await pretendToSpendMail(parts, tx, 'new')
    }
  })
}

/** Resends the emails of a pending email change, if there is one. @throws as {@link workEvenly} */
export async function resendEmailChange(parts: AuthParts, request: AddressRequest): Promise<void> {
  const email = readEmail(request.email)
  await workEvenly(parts, 'resend of the emails of an email change', async (tx) => {
    await beginPause(parts, tx, 'email_change', email)
    await pretendToSpendMail(parts, tx, 'member')
    await pretendToSpendMail(parts, tx, 'new')
    const user = await findUserByEmail(tx, email, { lock: true })
    if (user?.email_change) await sendEmailChange(parts, tx, { ...request, user, newEmail: user.email_change })
  })
}

/** Emails a password reset link, if the address has an account. @throws as {@link workEvenly} */
export async function requestRecovery(parts: AuthParts, request: AddressRequest): Promise<void> {
  const email = readEmail(request.email)
  await workEvenly(parts, 'request for a new password', async (tx) => {
    await beginPause(parts, tx, 'recovery', email)
    const user = await findUserByEmail(tx, email, { lock: true })
    if (!isMember(user)) {
      await pretendToSpendMail(parts, tx, 'member')
      if (!(await maySendToNew(parts, tx))) return
    }
    if (!user) return
    const secret = { user, to: email, purpose: 'recovery', linkType: 'recovery' } as const
    await sendSecret(parts, tx, { ...secret, action: 'user_recovery_requested', queue: queueRecovery }, request)
  })
}

/**
 * Emails a sign-in link. An unknown address gets an account without a password, and the email is its sign-up email;
 * where sign-up is disabled, emails to new addresses are over their limit, or the instance is read-only, nothing happens,
 * and the answer is the same.
 *
 * @throws as {@link workEvenly}
 */
export async function requestMagicLink(
  parts: AuthParts,
  request: AddressRequest & { readonly createsUser: boolean; readonly metadata: Readonly<Record<string, unknown>> },
): Promise<void> {
  const email = readEmail(request.email)
  checkMetadata(request.metadata)
  const mayCreate = request.createsUser && !parts.settings.disableSignup
  await workEvenly(parts, 'request for a sign-in link', async (tx) => {
    await beginPause(parts, tx, 'magic_link', email)
    const known = await findUserByEmail(tx, email, { lock: true })
    if (!isMember(known)) {
      await pretendToSpendMail(parts, tx, 'member')
      if (!(await maySendToNew(parts, tx)) || parts.readOnly.current()) return
    }
    const user = known ?? (mayCreate ? await createWithoutPassword(parts, tx, { ...request, email }) : undefined)
    if (!user) return
    await sendSignInLink(parts, tx, { ...request, user })
  })
}

/**
 * Emails a sign-in link to the account's address, in the caller's transaction. The caller begins the pause.
 *
 * An unconfirmed account gets a sign-up email, which cancels an earlier sign-up: the reader of the email may not be the
 * person who signed up.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
export async function sendSignInLink(
  parts: AuthParts,
  tx: AuthTx,
  { user, ...request }: LinkRequest & { readonly user: User },
): Promise<void> {
  const isPending = user.email_confirmed_at === null
  await sendSecret(
    parts,
    tx,
    {
      user,
      to: user.email ?? '',
      purpose: isPending ? 'confirmation' : 'recovery',
      linkType: isPending ? 'signup' : 'magiclink',
      action: isPending ? 'user_confirmation_requested' : 'user_recovery_requested',
      queue: isPending ? queueConfirmSignUp : queueMagicLink,
    },
    request,
  )
}

function isMember(user: User | undefined): boolean {
  return user !== undefined && user.email_confirmed_at !== null
}

async function createWithoutPassword(
  parts: AuthParts,
  tx: AuthTx,
  { email, metadata, client }: AddressRequest & { metadata: Readonly<Record<string, unknown>> },
): Promise<User | undefined> {
  const isConfirmed = parts.settings.mailerAutoconfirm
  const inserted = await insertEmailUser(tx, { id: uuidV4(), email, passwordHash: '', metadata, isConfirmed })
  if (inserted && isConfirmed) await audit(tx, { action: 'user_signedup', logType: 'team', user: inserted, client })
  // Another request has just created it.
  return inserted ?? findUserByEmail(tx, email, { lock: true })
}
