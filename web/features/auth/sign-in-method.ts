import type { Session } from '@supabase/auth-js'

/** How long a sign-in counts as just now, in seconds; generous, for clocks differ. */
const freshSeconds = 300

interface SignInMethod {
  readonly method: string
  readonly timestamp: number
}

/**
 * How somebody signed in, newest first: the claim `amr` of the access token. Only what a screen offers depends on it;
 * what is allowed is for the server to say.
 */
function readSignInMethods({ access_token: token }: Pick<Session, 'access_token'>): SignInMethod[] {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    const { amr } = JSON.parse(new TextDecoder().decode(bytes)) as { amr?: unknown }
    return Array.isArray(amr) ? amr.filter(isSignInMethod) : []
  } catch {
    return []
  }
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
