import { queueReauthentication } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { lockUser, type User } from '../accounts/users.queries.ts'
import { type AuthParts, audit } from '../auth-parts.ts'
import { spendMail } from '../mail-budgets.ts'
import { createOneTimeSecret, hashCode } from '../mailed-links/one-time-secret.ts'
import { clearSecrets, findSecretByCode, saveSecret } from '../mailed-links/secrets.queries.ts'
import { beginPause, lifeMinutes } from '../mailed-links/send-secret.ts'
import { AuthError } from '../protocol/auth-error.ts'

/** Whether a moment (seconds since 1970) is younger than that. */
export function isFresh(timestamp: number, maxAgeSeconds: number): boolean {
  return Date.now() / 1000 - timestamp < maxAgeSeconds
}

/**
 * Emails the code that a password change requires.
 *
 * @throws AuthError `validation_failed` for an account without an address, or `over_email_send_rate_limit`.
 */
export async function requestReauthentication(parts: AuthParts, userId: string, client: Client): Promise<void> {
  await parts.database.asAuthAdmin('reauthentication', async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user) throw new AuthError('user_not_found')
    const to = user.email ?? ''
    if (to === '') {
      throw new AuthError('validation_failed', { message: 'Reauthentication requires the user to have an email' })
    }
    await beginPause(parts, tx, 'reauthentication', to)
    await spendMail(parts, tx, 'member')
    const secret = createOneTimeSecret(to, false)
    await saveSecret(tx, { userId, purpose: 'reauthentication', to, ...secret })
    const validMinutes = lifeMinutes.reauthentication
    const requester = { at: new Date(), ...client }
    await queueReauthentication(tx, { appUrl: parts.appUrl, to, code: secret.code, validMinutes, requester })
    await audit(tx, { action: 'user_reauthenticate_requested', logType: 'user', user, client })
  })
}

/**
 * Uses up the code.
 *
 * @param user the account, locked.
 * @throws AuthError `reauthentication_needed` without one, `reauthentication_not_valid` for a wrong or old one.
 */
export async function checkNonce(tx: AuthTx, user: User, nonce: string): Promise<void> {
  if (nonce === '') throw new AuthError('reauthentication_needed')
  const found = findSecretByCode(user, hashCode(user.email ?? '', nonce), ['reauthentication'])
  if (!found || !isFresh(found.sentAt.getTime() / 1000, lifeMinutes.reauthentication * 60)) {
    throw new AuthError('reauthentication_not_valid')
  }
  await clearSecrets(tx, user.id, ['reauthentication'])
}
