/*
 * Reads fields of caught values: anything can be thrown, and the errors of Node, PostgreSQL and libraries share no class.
 */

/** The code of the error (`ENOENT`, SQLSTATE `23505`); undefined without one. */
export function readErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return readErrorCode(error) === code
}

/** The message of the error, else the thrown value as text. */
export function readErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
