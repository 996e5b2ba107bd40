import type { AuthAttemptEvent, AuthMethod } from '../features/auth/auth-attempt-event.ts'
import type { CapturedEvent } from '../lib/analytics.ts'

/** Other methods end with an email, or belong to a person who is already signed in. */
const waysIn: ReadonlySet<AuthMethod> = new Set(['password', 'google', 'callback'])

/** What product analytics counts of one step of an attempt to sign in or up; undefined: nothing. */
export function describeAttempt(attempt: AuthAttemptEvent): CapturedEvent | undefined {
  const { outcome, method } = attempt
  if (outcome === 'attempt' || outcome === 'cancel') return undefined
  const properties = { method, duration_ms: attempt.durationMs }
  if (outcome === 'failure') {
    return ['error_occurred', { ...properties, error_message: attempt.category, context: 'auth' }]
  }
  if (method === 'sign_up') return ['user_signed_up', properties]
  return waysIn.has(method) ? ['user_logged_in', properties] : undefined
}
