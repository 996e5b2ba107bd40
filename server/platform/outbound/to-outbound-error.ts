import { readErrorCode } from '../read-error.ts'
import { OutboundError } from './outbound-error.ts'

/** Errors of a request that the caller could have avoided, such as a line break in a header. */
const callersMistakes = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'])

const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_|EPROTO)/

/** Any error of an exchange as one that says what happened. */
export function toOutboundError(
  error: unknown,
  { host, timeoutMs, isLate }: { host: string; timeoutMs: number; isLate: boolean },
): unknown {
  const code = readErrorCode(error) ?? ''
  if (error instanceof OutboundError || callersMistakes.has(code)) return error
  if (isLate) return new OutboundError('timeout', `${host} didn’t answer within ${timeoutMs / 1000} s.`, error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new OutboundError('timeout', `${host} didn’t accept the connection in time.`, error)
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('answer_too_large', `${host} answered with more than 16 KiB of headers.`, error)
  }
  if (tlsCode.test(code)) {
    return new OutboundError('tls', `${host} offers no trusted secure connection (${code}).`, error)
  }
  return new OutboundError('unreachable', `${host} ${describeFailure(code)}.`, error)
}

function describeFailure(code: string): string {
  if (code === 'ECONNREFUSED') return 'refused the connection'
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'closed the connection'
  if (code.startsWith('HPE_')) return 'didn’t answer in HTTP'
  return 'couldn’t be reached'
}
