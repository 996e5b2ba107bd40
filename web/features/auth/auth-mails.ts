import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { buildCallbackUrl } from '#web/lib/redirect.ts'
import { readStored, storageKeys } from '#web/lib/storage.ts'
import { toast } from '#web/ui/toast.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { findInvitationToken } from './invitation-path.ts'

/** Where the links in a mail lead: this instance's address, and the path they go on to. */
export interface MailTarget {
  readonly appUrl: string | null
  readonly next?: string
}

/** Mails a link that signs in. Unknown addresses answer the same. @throws AuthError when it is refused. */
export async function sendMagicLink(email: string, { appUrl, ...target }: MailTarget): Promise<void> {
  const attempt = startAuthAttempt('magic_link')
  const invitationToken = findInvitationToken(target.next ?? '')
  const { error } = await getAuthClient().signInWithOtp({
    email,
    options: {
      emailRedirectTo: buildCallbackUrl(appUrl, { purpose: 'magiclink', ...target }),
      // A new address gets an account with it: one that was invited needs no organisation of its own.
      ...(invitationToken !== undefined && { data: { invitation_token: invitationToken } }),
    },
  })
  if (error) {
    attempt.fail(error)
    throw error
  }
  attempt.succeed()
}

/** Mails a link to choose a new password. Unknown addresses answer the same. @throws AuthError when it is refused. */
export async function sendRecovery(email: string, { appUrl }: MailTarget): Promise<void> {
  const attempt = startAuthAttempt('recovery')
  const redirectTo = buildCallbackUrl(appUrl, { purpose: 'recovery' })
  const { error } = await getAuthClient().resetPasswordForEmail(email, { redirectTo })
  if (error) {
    attempt.fail(error)
    throw error
  }
  attempt.succeed()
}

/** The address that a verification mail would go to: the one waiting, else the one last used for sign-up. */
export function findPendingEmail(): string | undefined {
  const email = readStored(storageKeys.pendingEmailVerification) ?? readStored(storageKeys.lastSignUpEmail, 'session')
  return email === null || email === '' ? undefined : email
}

/** Asks for another verification mail. @throws AuthError when the server refuses or can't be reached. */
export async function resendVerification(email: string, { appUrl, ...target }: MailTarget): Promise<void> {
  const { error } = await getAuthClient().resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: buildCallbackUrl(appUrl, target) },
  })
  if (error) throw error
}

/** As {@link resendVerification}, and says how it went. Whether it was sent. */
export async function resendVerificationAndTell(email: string, target: MailTarget): Promise<boolean> {
  try {
    await resendVerification(email, target)
  } catch (error) {
    toast({ title: 'Failed to Resend Email', description: describeAuthError(error), tone: 'danger' })
    return false
  }
  toast({
    title: 'Verification Email Sent',
    description: 'Please check your inbox and spam folder for the verification link.',
    tone: 'success',
  })
  return true
}
