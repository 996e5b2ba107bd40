import type { FastifyRequest } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'
import { readAccessToken } from '../auth-request.ts'
import { AuthError } from './auth-error.ts'

/**
 * Lets only the operator's own programs go on: those whose bearer is a service-role key or, where there is no bearer at
 * all, whose API key is one.
 *
 * @throws AuthError `no_authorization`, `bad_jwt`, or `not_admin` for everybody whom the key or token names otherwise.
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
