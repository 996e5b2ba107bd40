/**
 * Why a request got no usable answer.
 *
 * - `address_refused`: the address is malformed, private, reserved, or on a port that is not allowed. No connection was made.
 * - `not_found`: the host name does not resolve.
 * - `unreachable`: no connection, a broken one, or an answer that isn't HTTP.
 * - `timeout`: name lookup, connection or answer took too long.
 * - `answer_too_large`: the body, or the headers (16 KiB), exceed their limit.
 * - `tls`: no secure connection, e.g. because of an expired certificate.
 */
export type OutboundFailure = 'address_refused' | 'not_found' | 'unreachable' | 'timeout' | 'answer_too_large' | 'tls'

/**
 * A request that got no usable answer. The message is a sentence for the person who gave the address; it never contains
 * an address that a private name resolves to.
 */
export class OutboundError extends Error {
  readonly failure: OutboundFailure

  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.failure = failure
  }
}
