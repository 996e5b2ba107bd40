import { categorizeAuthFailure } from '#web/lib/auth-errors.ts'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { type AuthAttemptEvent, type AuthMethod, authAttemptEventName } from './auth-attempt-event.ts'

/** The ends of an attempt: call one of them, once. */
export interface AuthAttempt {
  succeed(): void
  cancel(): void
  fail(error: unknown): void
}

/**
 * Marks the beginning of an attempt to sign in or up; call one of the functions at its end. Each step is a window
 * event, so that product analytics, where configured, can listen without an import in these screens.
 */
export function startAuthAttempt(method: AuthMethod, now: () => number = () => performance.now()): AuthAttempt {
  announce({ outcome: 'attempt', method })
  return followAttempt(method, now(), now)
}

/** Marks the beginning of an attempt that leaves this page: its start is kept until the browser is back. */
export function startGoogleAttempt(now: () => number = Date.now): AuthAttempt {
  const startedAtMs = now()
  writeStored(storageKeys.googleStartedAt, String(startedAtMs), 'session')
  announce({ outcome: 'attempt', method: 'google' })
  return followAttempt('google', startedAtMs, now)
}

/** The attempt that left for Google, to be ended now; undefined when none is pending. Returned once. */
export function resumeGoogleAttempt(now: () => number = Date.now): AuthAttempt | undefined {
  const startedAtMs = Number(readStored(storageKeys.googleStartedAt, 'session') ?? Number.NaN)
  removeStored(storageKeys.googleStartedAt, 'session')
  return Number.isFinite(startedAtMs) ? followAttempt('google', startedAtMs, now) : undefined
}

function followAttempt(method: AuthMethod, startedAtMs: number, now: () => number): AuthAttempt {
  const measure = () => Math.max(0, Math.round(now() - startedAtMs))
  return {
    succeed: () => announce({ outcome: 'success', method, durationMs: measure() }),
    cancel: () => announce({ outcome: 'cancel', method, durationMs: measure() }),
    fail: (error) =>
      announce({ outcome: 'failure', method, durationMs: measure(), category: categorizeAuthFailure(error, method) }),
  }
}

function announce(detail: AuthAttemptEvent): void {
  window.dispatchEvent(new CustomEvent(authAttemptEventName, { detail }))
}
