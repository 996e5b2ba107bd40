import { type AuthFailureCategory, categorizeAuthFailure } from '#web/lib/auth-errors.ts'

export type AuthMethod = 'password' | 'sign_up' | 'callback'

/** One step of an attempt to get in. Names and addresses stay out of it. */
type AuthAttemptEvent =
  | { outcome: 'attempt'; method: AuthMethod }
  | { outcome: 'success' | 'cancel'; method: AuthMethod; durationMs: number }
  | { outcome: 'failure'; method: AuthMethod; durationMs: number; category: AuthFailureCategory }

export const authAttemptEventName = 'earshot:auth-attempt'

/**
 * Marks the beginning of an attempt to sign in or up; call one of the functions at its end. Each step is a window
 * event, so that product analytics, where configured, can listen without these screens knowing of it.
 */
export function startAuthAttempt(method: AuthMethod, now: () => number = () => performance.now()) {
  const startedAtMs = now()
  const measure = () => Math.round(now() - startedAtMs)
  announce({ outcome: 'attempt', method })
  return {
    succeed: () => announce({ outcome: 'success', method, durationMs: measure() }),
    cancel: () => announce({ outcome: 'cancel', method, durationMs: measure() }),
    fail: (error: unknown) =>
      announce({ outcome: 'failure', method, durationMs: measure(), category: categorizeAuthFailure(error) }),
  }
}

function announce(detail: AuthAttemptEvent): void {
  window.dispatchEvent(new CustomEvent(authAttemptEventName, { detail }))
}
