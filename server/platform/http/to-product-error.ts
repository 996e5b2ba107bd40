import type { FastifyError } from 'fastify'
import { awayRetrySeconds, isDatabaseAway } from '../database/away.ts'
import { StorageUnavailableError } from '../storage/storage.ts'
import { ProductError } from './product-error.ts'

/** Fastify's own refusals, by its code. */
const fastifyErrors: Record<string, () => ProductError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ProductError('body_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ProductError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ProductError('malformed_request', { detail: 'The body is not as long as its Content-Length says.' }),
  FST_ERR_BAD_URL: () => new ProductError('malformed_request', { detail: 'The address is not a valid URL.' }),
  FST_ERR_ASYNC_CONSTRAINT: () => new ProductError('malformed_request'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ProductError('uri_too_long'),
}

/** Transactions that gave way to another, and locks that were not free in time: a repetition may succeed. */
const passingSqlState = /^(40001|40P01|55P03)$/
const fullDisk = /^(ENOSPC|EDQUOT)$/

/** Turns any thrown value into a problem. An unexpected one becomes `internal_error` and is logged by the caller. */
export function toProductError(thrown: unknown): ProductError {
  if (thrown instanceof ProductError) return thrown
  // Anything can be thrown; missing fields are undefined.
  const error = thrown as Partial<FastifyError> & { code?: string }
  const code = typeof error?.code === 'string' ? error.code : ''
  const known = fastifyErrors[code]
  if (known) return known()
  if (
    isDatabaseAway(thrown) ||
    passingSqlState.test(code) ||
    fullDisk.test(code) ||
    thrown instanceof StorageUnavailableError
  ) {
    return new ProductError('unavailable', { retryAfterSeconds: awayRetrySeconds, cause: thrown })
  }
  if (code === '42501' && error.message?.includes('row-level security')) {
    // The caller was removed, or has another role, since the guard asked.
    return new ProductError('permission_denied', { cause: thrown })
  }
  if (error?.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ProductError('malformed_request', { cause: thrown })
  }
  return new ProductError('internal_error', { cause: thrown })
}
