import { type ErrorCode, errors, type Problem, type ProblemField } from '#contract/errors.ts'

export interface ProductErrorDetails {
  /** Details of this case, for the caller. */
  readonly detail?: string
  readonly fields?: readonly ProblemField[]
  /** For 429 and 503: when it is worth trying again. */
  readonly retryAfterSeconds?: number
  /** For 428: what to solve. */
  readonly proof?: { readonly challenge: string; readonly difficulty: number }
  readonly cause?: unknown
}

/** An answer other than success, by its code in the table of errors. Thrown by guards, services and handlers alike. */
export class ProductError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string | undefined
  readonly fields: readonly ProblemField[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly proof: ProductErrorDetails['proof']

  constructor(code: ErrorCode, details: ProductErrorDetails = {}) {
    super(details.detail ?? errors[code].title, { cause: details.cause })
    this.name = 'ProductError'
    this.code = code
    this.status = errors[code].status
    this.detail = details.detail
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
    this.proof = details.proof
  }
}

/** The error as the caller gets it (RFC 9457). */
export function toProblem(error: ProductError, requestId: string): Problem {
  return {
    code: error.code,
    title: errors[error.code].title,
    status: error.status,
    ...(error.detail !== undefined && { detail: error.detail }),
    ...(error.fields !== undefined && { fields: [...error.fields] }),
    requestId,
    ...error.proof,
  }
}
