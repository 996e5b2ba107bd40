import type { AuthAttemptEvent, AuthMethod } from '../features/auth/auth-attempt-event.ts'

interface CountedEvent {
  readonly name: 'user_signed_up' | 'user_logged_in' | 'error_occurred'
  readonly properties: Readonly<Record<string, string | number>>
}

/** Other methods end with an email, or belong to a person who is already signed in. */
const waysIn: ReadonlySet<AuthMethod> = new Set(['password', 'google', 'callback'])

/** What product analytics counts of one step of an attempt to sign in or up; undefined: nothing. */
export function describeAttempt(attempt: AuthAttemptEvent): CountedEvent | undefined {
  const { outcome, method } = attempt
  if (outcome === 'attempt' || outcome === 'cancel') return undefined
  const properties = { method, duration_ms: attempt.durationMs }
  if (outcome === 'failure') {
    return { name: 'error_occurred', properties: { ...properties, error_message: attempt.category, context: 'auth' } }
  }
  if (method === 'sign_up') return { name: 'user_signed_up', properties }
  return waysIn.has(method) ? { name: 'user_logged_in', properties } : undefined
}
