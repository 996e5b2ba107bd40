import type { AuthFailureCategory } from '#web/lib/auth-errors.ts'

/**
 * `magic_link` and `recovery` end when the email is queued; `callback` is the return from it, by link or code.
 * `new_password` follows a recovery.
 */
export type AuthMethod = 'password' | 'sign_up' | 'google' | 'magic_link' | 'recovery' | 'new_password' | 'callback'

/** One step of a sign-in or sign-up attempt, without names and addresses. */
export type AuthAttemptEvent =
  | { outcome: 'attempt'; method: AuthMethod }
  | { outcome: 'success' | 'cancel'; method: AuthMethod; durationMs: number }
  | { outcome: 'failure'; method: AuthMethod; durationMs: number; category: AuthFailureCategory }

/** Of the window events, which product analytics listens to without the code of the sign-in screens. */
export const authAttemptEventName = 'earshot:auth-attempt'
