import type { FastifyError } from 'fastify'
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

/** What database and disk say when they are not to be reached, shutting down or out of room: the caller may try again. */
const unavailableSqlState = /^(08|53|57P0[1-5]|40001|40P01|55P03)/
const unavailableSystemError =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENOSPC|EDQUOT)$/

/** Turns any thrown value into a problem. An unexpected one becomes `internal_error` and is logged by the caller. */
export function toProductError(thrown: unknown): ProductError {
  if (thrown instanceof ProductError) return thrown
  // Anything can be thrown; missing fields are undefined.
  const error = thrown as Partial<FastifyError> & { code?: string }
  const code = typeof error?.code === 'string' ? error.code : ''
  const known = fastifyErrors[code]
  if (known) return known()
  if (
    unavailableSqlState.test(code) ||
    unavailableSystemError.test(code) ||
    isPoolExhausted(error) ||
    thrown instanceof StorageUnavailableError
  ) {
    return new ProductError('unavailable', { retryAfterSeconds: 2, cause: thrown })
  }
  if (error?.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ProductError('malformed_request', { cause: thrown })
  }
  return new ProductError('internal_error', { cause: thrown })
}

// node-postgres gives neither a class nor a code to the time-out of its pool.
function isPoolExhausted(error: { message?: string }): boolean {
  return (
    typeof error?.message === 'string' &&
    /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
      error.message,
    )
  )
}
