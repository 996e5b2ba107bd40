import type { Session } from '@supabase/auth-js'

/** How long a sign-in counts as just now, in seconds; generous, for clocks differ. */
const freshSeconds = 300

interface SignInMethod {
  readonly method: string
  readonly timestamp: number
}

/** What an access token says; nothing if it can't be read. Not verified: only what a screen offers depends on it. */
export function readClaims(accessToken: string): Readonly<Record<string, unknown>> {
  try {
    const payload = accessToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    return (JSON.parse(new TextDecoder().decode(bytes)) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** How somebody signed in, newest first: the claim `amr`. */
function readSignInMethods(session: Pick<Session, 'access_token'>): SignInMethod[] {
  const { amr } = readClaims(session.access_token)
  return Array.isArray(amr) ? amr.filter(isSignInMethod) : []
}

function isSignInMethod(entry: unknown): entry is SignInMethod {
  const { method, timestamp } = (entry ?? {}) as Record<string, unknown>
  return typeof method === 'string' && typeof timestamp === 'number'
}

/** Proofs that somebody can read the account's mail. */
const mailMethods = new Set(['recovery', 'otp', 'magiclink', 'invite', 'email/signup'])

/** Whether this session was opened from a mail, so that a new password may be chosen without the old one. */
export function isFromMail(session: Pick<Session, 'access_token'>): boolean {
  return readSignInMethods(session).some(({ method }) => mailMethods.has(method))
}

/** Whether this session was opened by a recovery link just now. */
export function isFreshRecovery(session: Pick<Session, 'access_token'>, nowMs: number = Date.now()): boolean {
  const [latest] = readSignInMethods(session)
  return latest?.method === 'recovery' && Math.abs(nowMs / 1000 - latest.timestamp) < freshSeconds
}
