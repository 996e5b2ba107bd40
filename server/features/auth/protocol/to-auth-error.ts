import { AuthError } from './auth-error.ts'

/**
 * Turns whatever was thrown into a refusal. What nobody foresaw becomes `unexpected_failure`; the caller logs its
 * cause.
 */
export function toAuthError(thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown
  const error = thrown as { code?: unknown; statusCode?: unknown; message?: unknown }
  const code = typeof error?.code === 'string' ? error.code : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AuthError('request_entity_too_large')
  // Somebody else holds the row for longer than lock_timeout, or waits for this request as this one does for them.
  if (code === '55P03' || code === '40P01') return new AuthError('conflict', { cause: thrown })
  if (code === '57014') return new AuthError('request_timeout', { cause: thrown })
  // A value that the database refuses (class 22: its form, 23: a rule, P0001: a trigger) came from the caller.
  if (/^(22|23)[0-9A-Z]{3}$|^P0001$/.test(code)) return new AuthError('validation_failed', { cause: thrown })
  if (typeof error?.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500) {
    return new AuthError('validation_failed', { message: 'The request could not be read', cause: thrown })
  }
  return new AuthError('unexpected_failure', { cause: thrown })
}
