import { isDatabaseAway } from '#server/platform/database/away.ts'

/** An error in PostgREST's shape. */
export class RpcError extends Error {
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null

  constructor(
    status: number,
    code: string,
    message: string,
    { details = null, hint = null, cause }: { details?: string | null; hint?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'RpcError'
    this.status = status
    this.code = code
    this.details = details
    this.hint = hint
  }
}

/**
 * Turns any thrown value into an RpcError; a database error keeps its SQLSTATE, its text and the status that
 * PostgREST gives it.
 *
 * @param isAnonymous missing permissions are 401 for anonymous callers, 403 for signed-in ones.
 */
export function toRpcError(thrown: unknown, isAnonymous: boolean): RpcError {
  if (thrown instanceof RpcError) return thrown
  // Anything can be thrown: each field is unknown, and checked below.
  const error = thrown as { code?: unknown; message?: unknown; detail?: unknown; hint?: unknown; statusCode?: unknown }
  const code = typeof error?.code === 'string' ? error.code : ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new RpcError(413, 'PGRST102', 'Request body too large')
  if (typeof error?.statusCode === 'number' && error.statusCode < 500) {
    return new RpcError(error.statusCode, 'PGRST102', 'Invalid request')
  }
  // A write in a transaction that is read-only on purpose has the code of one on a standby.
  if (code !== '25006' && isDatabaseAway(thrown)) {
    return new RpcError(503, 'PGRST001', 'Could not connect with the database. Retrying the connection.', {
      cause: thrown,
    })
  }
  const status = /^[0-9A-Z]{5}$/.test(code) ? statusOfSqlState(code, isAnonymous) : 500
  // Internal errors are only logged; errors of the caller's input are returned.
  if (status >= 500) return new RpcError(status, code || 'PGRST000', 'Something went wrong', { cause: thrown })
  return new RpcError(status, code, String(error.message), {
    details: typeof error.detail === 'string' ? error.detail : null,
    hint: typeof error.hint === 'string' ? error.hint : null,
    cause: thrown,
  })
}

function statusOfSqlState(code: string, isAnonymous: boolean): number {
  if (code === '42501') return isAnonymous ? 401 : 403
  // A write in a read-only transaction: another method is needed.
  if (code === '25006') return 405
  if (code === '42883' || code === '42P01') return 404
  if (code === 'P0001') return 400
  if (code === '23505' || code === '23503') return 409
  if (/^(22|23|42)/.test(code)) return 400
  if (/^(28|0L|0P)/.test(code)) return 403
  return 500
}
