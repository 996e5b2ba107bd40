import { awayRetrySeconds, isDatabaseAway } from '#server/platform/database/away.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { AuthError } from './auth-error.ts'

/**
 * Turns any thrown value into an AuthError. Unknown ones become `unexpected_failure`; the caller logs the cause.
 */
export function toAuthError(thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown
  if (thrown instanceof ProductError && thrown.code === 'read_only') {
    const { message, retryAfterSeconds = awayRetrySeconds } = thrown
    return new AuthError('read_only', { message, retryAfterSeconds })
  }
  // Anything can be thrown: each field is unknown, and checked below.
  const error = thrown as { code?: unknown; statusCode?: unknown; message?: unknown }
  const code = typeof error?.code === 'string' ? error.code : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AuthError('request_entity_too_large')
  if (isDatabaseAway(thrown)) {
    const message = 'The service is busy or starting'
    return new AuthError('unexpected_failure', {
      status: 503,
      message,
      retryAfterSeconds: awayRetrySeconds,
      cause: thrown,
    })
  }
  // Another transaction holds the row for longer than lock_timeout, or both wait for each other (deadlock).
  if (code === '55P03' || code === '40P01') return new AuthError('conflict', { cause: thrown })
  if (code === '57014') return new AuthError('request_timeout', { cause: thrown })
  // A value that the database refuses (class 22: its form, 23: a rule, P0001: a trigger) came from the caller.
  if (/^(22|23)[0-9A-Z]{3}$|^P0001$/.test(code)) return new AuthError('validation_failed', { cause: thrown })
  if (typeof error?.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500) {
    return new AuthError('validation_failed', { message: 'Couldn’t read the request', cause: thrown })
  }
  return new AuthError('unexpected_failure', { cause: thrown })
}
