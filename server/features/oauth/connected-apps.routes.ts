import type { FastifyInstance } from 'fastify'
import { connectApp, describeConnection, disconnectApp, listConnectedApps } from '#contract/connected-apps.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Connections } from './connections.service.ts'

export function connectedAppsRoutes(app: FastifyInstance, connections: Connections): void {
  addRoute(app, describeConnection, async ({ body }) => answer(200, await connections.describe(body)))

  addRoute(app, connectApp, async ({ body, caller }) =>
    answer(201, { redirectTo: await connections.connect(caller.actor, body) }),
  )

  addRoute(app, listConnectedApps, async ({ caller }) => answer(200, { items: await connections.list(caller.actor) }))

  addRoute(app, disconnectApp, async ({ params, caller }) => {
    await connections.disconnect(caller.actor, params.appId.toLowerCase())
    return answer(204, null)
  })
}
