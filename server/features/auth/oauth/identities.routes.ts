import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'
import { readAccessToken } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { getSignedInUser } from '../sessions/session.service.ts'

/** Manual linking and unlinking of provider accounts, which is disabled: linking follows verified addresses only. */
export function identitiesRoutes(app: FastifyInstance, parts: AuthParts): void {
  const refuse = async (request: FastifyRequest) => {
    await getSignedInUser(parts, await readAccessToken(parts, request))
    throw new AuthError('manual_linking_disabled')
  }
  app.get('/user/identities/authorize', { exposeHeadRoute: false }, refuse)
  app.delete('/user/identities/:identityId', refuse)
}
