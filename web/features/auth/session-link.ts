import type { AuthError } from '@supabase/auth-js'
import type { AuthClient } from '#web/lib/auth-client.ts'
import { readRedirect } from '#web/lib/redirect.ts'
import { readClaims } from './sign-in-method.ts'

/** A link that carries a session instead of a code: those that an administrator makes, for no browser asked for them. */
export interface SessionLink {
  readonly accessToken: string
  readonly refreshToken: string
  /** Whose session it is, as the link says. */
  readonly email: string
  /** Where it leads: to a new password, if it is for that. */
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
 * Signs in with the link. The server vouches for the access token first: what the screen says of the link stands in it,
 * and one that is forged and expired would otherwise be renewed, unlooked at, with whosever refresh token comes along.
 *
 * @returns why not, null when it did.
 */
export async function enterSessionLink(auth: AuthClient, link: SessionLink): Promise<AuthError | null> {
  const { error: refused } = await auth.getUser(link.accessToken)
  if (refused) return refused
  const { error } = await auth.setSession({ access_token: link.accessToken, refresh_token: link.refreshToken })
  return error
}
