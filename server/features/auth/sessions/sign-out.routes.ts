import type { FastifyInstance } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'
import { readAccessToken, readClient } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { readQuery } from '../protocol/request-body.ts'
import { getSignedInUser, signOut } from './session.service.ts'

/** Signing out: this device, every other, or all. */
export function signOutRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/logout', { config: { evenReadOnly: 'people sign out' } }, async (request, reply) => {
    const claims = await readAccessToken(parts, request)
    const scope = readQuery(request.query, 'scope') || 'global'
    if (scope !== 'global' && scope !== 'local' && scope !== 'others') {
      throw new AuthError('validation_failed', { message: 'Unsupported logout scope' })
    }
    const { user } = await getSignedInUser(parts, claims)
    await signOut(parts, { user, sessionId: claims.session_id, scope, client: readClient(request) })
    return reply.code(204).send()
  })
}
