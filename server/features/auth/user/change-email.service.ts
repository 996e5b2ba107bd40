import { queueEmailChangeCurrent, queueEmailChanged, queueEmailChangeNew } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { recordAccountEvent } from '../accounts/account-events.queries.ts'
import { findUserByEmail, type User } from '../accounts/users.queries.ts'
import { type AuthParts, audit } from '../auth-parts.ts'
import { clearSecrets } from '../mailed-links/secrets.queries.ts'
import { beginPause, type LinkRequest, sendSecret } from '../mailed-links/send-secret.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { deleteSessions } from '../sessions/sessions.queries.ts'
import * as queries from './change-email.queries.ts'

export { findUserByNewEmail } from './change-email.queries.ts'

/**
 * Begins an email change: both the current and the new address must confirm (only the new one if configured so, neither
 * where addresses need no confirmation).
 *
 * @param change.user the account, locked; `sessionId`: the session that requests the change.
 * @throws AuthError `email_exists` or `over_email_send_rate_limit`.
 */
export async function beginEmailChange(
  parts: AuthParts,
  tx: AuthTx,
  { user, newEmail, sessionId, ...request }: LinkRequest & { user: User; newEmail: string; sessionId: string },
): Promise<void> {
  if (await findUserByEmail(tx, newEmail)) throw new AuthError('email_exists')
  if (parts.settings.mailerAutoconfirm) {
    await finishEmailChange(parts, tx, { user, newEmail, sessionId, client: request.client })
    return
  }
  await beginPause(parts, tx, 'email_change', user.email ?? newEmail)
  await sendEmailChange(parts, tx, { user, newEmail, ...request })
}

/** Emails the secrets of a change, replacing earlier ones; confirmations start over. */
export async function sendEmailChange(
  parts: AuthParts,
  tx: AuthTx,
  { user, newEmail, ...request }: LinkRequest & { user: User; newEmail: string },
): Promise<void> {
  await clearSecrets(tx, user.id, bothPurposes)
  await queries.saveNewEmail(tx, user.id, newEmail)
  const secret = { user, linkType: 'email_change', action: 'user_modified' } as const
  if (asksBoth(parts, user)) {
    await sendSecret(
      parts,
      tx,
      {
        ...secret,
        to: user.email ?? '',
        purpose: 'email_change_current',
        queue: (within, content) => queueEmailChangeCurrent(within, { ...content, newEmail }),
      },
      request,
    )
  }
  await sendSecret(
    parts,
    tx,
    {
      ...secret,
      to: newEmail,
      purpose: 'email_change_new',
      // Anyone's address: only its own confirmation proves it.
      budget: 'new',
      queue: (within, content) => queueEmailChangeNew(within, { ...content, isCurrentAsked: asksBoth(parts, user) }),
    },
    request,
  )
}

const bothPurposes = ['email_change_new', 'email_change_current'] as const

// A provider account may have no address, and then none can confirm.
function asksBoth({ settings }: Pick<AuthParts, 'settings'>, user: User): boolean {
  return settings.secureEmailChange && (user.email ?? '') !== ''
}

/**
 * Takes one of the two confirmations.
 *
 * @param confirmation.user the account, locked.
 * @returns the account once it has moved; undefined while the other confirmation is missing.
 * @throws AuthError `email_exists` when another account has taken the address.
 */
export async function confirmEmailChange(
  parts: AuthParts,
  tx: AuthTx,
  { user, purpose, client }: { user: User; purpose: (typeof bothPurposes)[number]; client: Client },
): Promise<User | undefined> {
  if (asksBoth(parts, user) && user.email_change_confirm_status === 0) {
    await clearSecrets(tx, user.id, [purpose])
    await queries.noteFirstConfirmation(tx, user.id)
    return undefined
  }
  return finishEmailChange(parts, tx, { user, newEmail: user.email_change ?? '', client })
}

/**
 * Moves the account, and signs out its devices: a stranger on one may be why the owner moves. The confirmation begins
 * a new session.
 *
 * @param move.sessionId the session that stays, where the change needs no confirmation.
 */
async function finishEmailChange(
  { appUrl }: Pick<AuthParts, 'appUrl'>,
  tx: AuthTx,
  { user, newEmail, sessionId, client }: { user: User; newEmail: string; sessionId?: string; client: Client },
): Promise<User> {
  if (await findUserByEmail(tx, newEmail)) throw new AuthError('email_exists')
  // Links sent to the previous address are invalidated.
  await clearSecrets(tx, user.id)
  const moved = await queries.saveEmail(tx, user.id, newEmail)
  const scope = sessionId === undefined ? 'global' : 'others'
  await deleteSessions(tx, { userId: user.id, sessionId: sessionId ?? '', scope })
  await audit(tx, { action: 'user_modified', logType: 'user', user: moved, client })
  const payload = { before: { email: user.email ?? '' }, after: { email: newEmail } }
  await recordAccountEvent(tx, { userId: user.id, name: 'account.email_changed', payload, isOwn: true })
  if (user.email) await queueEmailChanged(tx, { appUrl, to: user.email, newEmail, changedAt: new Date() })
  return moved
}
