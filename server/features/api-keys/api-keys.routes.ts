import type { FastifyInstance } from 'fastify'
import { createApiKey, listApiKeys, regenerateApiKey, revokeApiKey } from '#contract/api-keys.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { ApiKeys } from './api-keys.service.ts'

export function apiKeysRoutes(app: FastifyInstance, keys: ApiKeys): void {
  addRoute(app, listApiKeys, async ({ params, caller }) =>
    answer(200, { items: await keys.list(caller.actor, params.organizationId, params.projectId) }),
  )

  addRoute(app, createApiKey, async ({ params, body, caller }) =>
    answer(201, await keys.create(caller.actor, params.organizationId, params.projectId, body)),
  )

  addRoute(app, regenerateApiKey, async ({ params, body, caller }) =>
    answer(201, await keys.regenerate(caller.actor, params, body.overlapHours ?? 0)),
  )

  addRoute(app, revokeApiKey, async ({ params, caller }) => {
    await keys.revoke(caller.actor, params)
    return answer(204, null)
  })
}
