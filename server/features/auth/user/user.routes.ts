import type { FastifyInstance } from 'fastify'
import { type AuthParts, isBanned } from '../auth-parts.ts'
import { readAccessToken } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { toUserJson } from '../protocol/user-json.ts'
import { getSignedInUser } from '../sessions/session.service.ts'

/** The signed-in person's own account. */
export function userRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.get('/user', async (request) => {
    const { user, identities } = await getSignedInUser(parts, await readAccessToken(parts, request))
    if (isBanned(user)) throw new AuthError('user_banned', { status: 403 })
    return toUserJson(user, identities)
  })
}
