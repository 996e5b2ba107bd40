import type { Session } from '@supabase/auth-js'

/** How long a sign-in counts as recent, in seconds; generous because clocks differ. */
const freshSeconds = 300

interface SignInMethod {
  readonly method: string
  readonly timestamp: number
}

/** The claims of an access token; empty if it can't be read. Not verified: only the choice of screen depends on it. */
export function readClaims(accessToken: string): Readonly<Record<string, unknown>> {
  try {
    const payload = accessToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    // A token's payload is an object; each claim is unknown.
    return (JSON.parse(new TextDecoder().decode(bytes)) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** The sign-in methods of the session, newest first: the claim `amr`. */
function readSignInMethods(session: Pick<Session, 'access_token'>): SignInMethod[] {
  const { amr } = readClaims(session.access_token)
  return Array.isArray(amr) ? amr.filter(isSignInMethod) : []
}

function isSignInMethod(entry: unknown): entry is SignInMethod {
  // Anything: each field is unknown, and checked below.
  const { method, timestamp } = (entry ?? {}) as Record<string, unknown>
  return typeof method === 'string' && typeof timestamp === 'number'
}

/** Methods that prove access to the account's mailbox. */
const mailMethods = new Set(['recovery', 'otp', 'magiclink', 'invite', 'email/signup'])

/** Whether this session came from an emailed link, so that a new password needs no old one. */
export function isFromMail(session: Pick<Session, 'access_token'>): boolean {
  return readSignInMethods(session).some(({ method }) => mailMethods.has(method))
}

/** Whether this session was opened by a recovery link just now. */
export function isFreshRecovery(session: Pick<Session, 'access_token'>, nowMs: number = Date.now()): boolean {
  const [latest] = readSignInMethods(session)
  return latest?.method === 'recovery' && Math.abs(nowMs / 1000 - latest.timestamp) < freshSeconds
}
