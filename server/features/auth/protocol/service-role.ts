import type { FastifyRequest } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'
import { readAccessToken } from '../auth-request.ts'
import { AuthError } from './auth-error.ts'

/**
 * Admits only the operator's programs: those whose bearer is a service-role key or, without a bearer, whose API key is
 * one.
 *
 * @throws AuthError `no_authorization`, `bad_jwt`, or `not_admin` for any other key or token.
 */
export async function requireServiceRole(parts: Pick<AuthParts, 'tokens'>, request: FastifyRequest): Promise<void> {
  const bearer = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer === undefined) {
    if (request.keyRole === 'service_role') return
    throw new AuthError('no_authorization')
  }
  const role = await parts.tokens.findKeyRole(bearer)
  if (role === 'service_role') return
  if (role === undefined) await readAccessToken(parts, request)
  throw new AuthError('not_admin')
}
