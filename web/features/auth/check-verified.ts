import { loadAuthClient, renewSession } from '#web/lib/auth-client.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { isVerified } from '#web/lib/session.tsx'

/** The result of "I've Verified My Email". `elsewhere`: this browser can't tell without a sign-in. */
export type Verification =
  | { readonly kind: 'verified' | 'too_early' | 'elsewhere' }
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Asks the server whether the address is verified.
 *
 * @param password of a sign-up on this page; with it, a verification on another device signs in here, too.
 */
export async function checkVerified(email: string, password: string | undefined): Promise<Verification> {
  const session = await renewSession().catch(() => undefined)
  if (session) return { kind: isVerified(session.user) ? 'verified' : 'too_early' }
  if (password === undefined) return { kind: 'elsewhere' }
  const { error } = await (await loadAuthClient()).signInWithPassword({ email, password })
  if (!error) return { kind: 'verified' }
  if (error.code === 'email_not_confirmed') return { kind: 'too_early' }
  // The password was removed because someone else has used the address, too.
  if (error.code === 'invalid_credentials') return { kind: 'elsewhere' }
  return { kind: 'failed', message: describeAuthError(error) }
}
