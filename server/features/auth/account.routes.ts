import type { FastifyInstance } from 'fastify'
import {
  deleteAccount,
  endSession,
  getAccount,
  getAccountLosses,
  listSessions,
  removeAvatar,
  setAvatar,
} from '#contract/auth.ts'
import { isUuid } from '#contract/uuid.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Accounts } from './account.service.ts'

/** Routes of a person's own account beyond signing in. */
export function accountRoutes(app: FastifyInstance, accounts: Accounts): void {
  addRoute(app, getAccount, async ({ caller }) => answer(200, await accounts.get(caller.actor)))

  addRoute(app, listSessions, async ({ caller }) =>
    answer(200, { sessions: await accounts.listSessions(caller.actor) }),
  )

  addRoute(app, endSession, async ({ params, caller }) => {
    await accounts.endSession(caller.actor, params.sessionId)
    return answer(204, null)
  })

  addRoute(app, setAvatar, async ({ body, caller }) =>
    answer(200, { avatarUrl: await accounts.setAvatar(caller.actor, body) }),
  )

  addRoute(app, removeAvatar, async ({ caller }) => {
    await accounts.removeAvatar(caller.actor)
    return answer(204, null)
  })

  addRoute(app, getAccountLosses, async ({ caller }) => answer(200, await accounts.listLosses(caller.actor)))

  addRoute(app, deleteAccount, async ({ body, caller }) => {
    await accounts.delete(caller.actor, body.email)
    return answer(204, null)
  })

  // Bytes, so no contract. The URL is the permission: an `img` sends no token.
  app.get('/api/v1/avatars/:avatarId', { schema: { hide: true } }, async (request, reply) => {
    // The route's path has this parameter.
    const { avatarId } = request.params as { avatarId: string }
    const avatar = isUuid(avatarId) ? await accounts.findAvatar(avatarId) : undefined
    if (!avatar) throw new ProductError('route_not_found')
    return reply
      .type(avatar.mime)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .send(avatar.bytes)
  })
}
