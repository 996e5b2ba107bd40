import { loadAuthClient } from '#web/lib/auth-client.ts'
import { buildCallbackUrl } from '#web/lib/redirect.ts'
import { readStored, storageKeys } from '#web/lib/storage.ts'
import { startAuthAttempt } from './auth-attempt.ts'
import { findInvitationToken } from './invitation-path.ts'

/** The redirect URL for links in emails: this instance's address with the path to open next. */
export interface MailTarget {
  readonly appUrl: string | null
  readonly next?: string
}

/** Emails a sign-in link. Unknown addresses get the same answer. @throws AuthError when it is refused. */
export async function sendMagicLink(email: string, { appUrl, ...target }: MailTarget): Promise<void> {
  const attempt = startAuthAttempt('magic_link')
  const invitationToken = findInvitationToken(target.next ?? '')
  const { error } = await (await loadAuthClient()).signInWithOtp({
    email,
    options: {
      emailRedirectTo: buildCallbackUrl(appUrl, { purpose: 'magiclink', ...target }),
      // A new address gets an account: an invited one needs no organisation of its own.
      ...(invitationToken !== undefined && { data: { invitation_token: invitationToken } }),
    },
  })
  if (error) {
    attempt.fail(error)
    throw error
  }
  attempt.succeed()
}

/** Emails a link to reset the password. Unknown addresses get the same answer. @throws AuthError when it is refused. */
export async function sendRecovery(email: string, { appUrl }: MailTarget): Promise<void> {
  const attempt = startAuthAttempt('recovery')
  const redirectTo = buildCallbackUrl(appUrl, { purpose: 'recovery' })
  const { error } = await (await loadAuthClient()).resetPasswordForEmail(email, { redirectTo })
  if (error) {
    attempt.fail(error)
    throw error
  }
  attempt.succeed()
}

/** The address for a verification email: the pending one, else the one last used for sign-up. */
export function findPendingEmail(): string | undefined {
  const email = readStored(storageKeys.pendingEmailVerification) ?? readStored(storageKeys.lastSignUpEmail, 'session')
  return email === null || email === '' ? undefined : email
}

/** Requests another verification email. @throws AuthError when the server refuses or can't be reached. */
export async function resendVerification(email: string, { appUrl, ...target }: MailTarget): Promise<void> {
  const { error } = await (await loadAuthClient()).resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: buildCallbackUrl(appUrl, target) },
  })
  if (error) throw error
}
