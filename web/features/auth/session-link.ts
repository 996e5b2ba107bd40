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
