import type { AuthError } from '@supabase/auth-js'
import type { AuthClient } from '#web/lib/auth-client.ts'
import { readRedirect } from '#web/lib/redirect.ts'
import { readClaims } from './sign-in-method.ts'

/** A link that carries a session instead of a code: no browser requested it with a secret of its own. */
export interface SessionLink {
  readonly accessToken: string
  readonly refreshToken: string
  /** The email address that the link claims. */
  readonly email: string
  /** The path to open next: the new-password screen for recovery and invitations. */
  readonly next: string
}

/** Reads it from the fragment; undefined when there is none. */
export function readSessionLink({ search, hash }: { search: string; hash: string }): SessionLink | undefined {
  const fragment = new URLSearchParams(hash.slice(1))
  const [accessToken, refreshToken] = [fragment.get('access_token'), fragment.get('refresh_token')]
  if (!accessToken || !refreshToken) return undefined
  const { email } = readClaims(accessToken)
  const needsPassword = ['recovery', 'invite'].includes(fragment.get('type') ?? '')
  return {
    accessToken,
    refreshToken,
    email: typeof email === 'string' ? email : '',
    next: needsPassword ? '/reset-password' : readRedirect(search, 'next'),
  }
}

/**
 * Signs in with the link. The server verifies the access token first: the screen shows its claims, and a forged,
 * expired one would otherwise be renewed unverified with a stranger's refresh token.
 *
 * @returns the error, null on success.
 */
export async function enterSessionLink(auth: AuthClient, link: SessionLink): Promise<AuthError | null> {
  const { error: refused } = await auth.getUser(link.accessToken)
  if (refused) return refused
  const { error } = await auth.setSession({ access_token: link.accessToken, refresh_token: link.refreshToken })
  return error
}
