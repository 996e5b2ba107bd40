import { readErrorCode } from '../read-error.ts'

/** The database can't be reached for now, and was not asked: an attempt to connect failed a moment ago. */
export class DatabaseAwayError extends Error {
  constructor(options?: ErrorOptions) {
    super('the database can’t be reached', options)
    this.name = 'DatabaseAwayError'
  }
}

/** When a caller who met an absent database should try again. */
export const awayRetrySeconds = 2

/**
 * A server that is not to be reached (08), has no connection, memory or disk left (53), is starting or stopping, is a standby
 * that is being promoted, or an old primary (25006); a failing disk.
 */
const awaySqlState = /^(08|53|25006$|57P0[1-5]$|58030$)/
const awaySystemError =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
// node-postgres gives neither a class nor a code to these.
const awayMessage =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Postgres connection has been discarded)/

/** Whether the error says that the database is away or out of room: the same call may succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseAwayError) return true
  const code = readErrorCode(error) ?? ''
  if (awaySqlState.test(code) || awaySystemError.test(code)) return true
  return error instanceof Error && awayMessage.test(error.message)
}
