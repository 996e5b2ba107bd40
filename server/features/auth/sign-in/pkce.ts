import { createHash, timingSafeEqual } from 'node:crypto'
import { AuthError } from '../protocol/auth-error.ts'

/** The PKCE challenge (RFC 7636), by which a browser proves that it made the request. */
export interface CodeChallenge {
  readonly challenge: string
  readonly method: 's256' | 'plain'
}

/**
 * Reads a request's challenge.
 *
 * @returns undefined without PKCE.
 * @throws AuthError `validation_failed` for an incomplete or malformed one.
 */
export function readCodeChallenge(challenge: string, method: string): CodeChallenge | undefined {
  if (challenge === '' && method === '') return undefined
  if (challenge === '' || method === '') {
    throw new AuthError('validation_failed', {
      message: 'PKCE flow requires code_challenge_method and code_challenge',
    })
  }
  const lowerMethod = method.toLowerCase()
  if (lowerMethod !== 's256' && lowerMethod !== 'plain') {
    throw new AuthError('validation_failed', { message: 'code_challenge_method must be s256 or plain' })
  }
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge)) {
    throw new AuthError('validation_failed', {
      message: 'code challenge has to be between 43 and 128 unreserved characters',
    })
  }
  return { challenge, method: lowerMethod }
}

/** Whether the verifier matches the challenge. Constant time. */
export function isVerifierCorrect(verifier: string, { challenge, method }: CodeChallenge): boolean {
  const answer = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  const given = createHash('sha256').update(answer).digest()
  return timingSafeEqual(given, createHash('sha256').update(challenge).digest())
}
