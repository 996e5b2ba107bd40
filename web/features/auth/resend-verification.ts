import { getAuthClient } from '#web/lib/auth-client.ts'
import { readStored, storageKeys } from '#web/lib/storage.ts'

/** Where mailed links lead back to. */
export function buildCallbackUrl(): string {
  return `${window.location.origin}/auth/callback`
}

/** The address that a verification mail would go to: the one waiting, else the one last used for sign-up. */
export function findPendingEmail(): string | undefined {
  const email = readStored(storageKeys.pendingEmailVerification) ?? readStored(storageKeys.lastSignUpEmail, 'session')
  return email === null || email === '' ? undefined : email
}

/** Asks for another verification mail. @throws AuthError when the server refuses or can't be reached. */
export async function resendVerification(email: string): Promise<void> {
  const { error } = await getAuthClient().resend({
    type: 'signup',
    email,
    options: { emailRedirectTo: buildCallbackUrl() },
  })
  if (error) throw error
}
