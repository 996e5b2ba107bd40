import type { FastifyInstance } from 'fastify'
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from '#contract/views.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { SavedViews } from './views.service.ts'

export function viewsRoutes(app: FastifyInstance, views: SavedViews): void {
  addRoute(app, listSavedViews, async ({ params, caller }) =>
    answer(200, { items: await views.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, createSavedView, async ({ params, body, caller }) => {
    const { view, isNew } = await views.create(caller.actor, params.organizationId, body)
    return isNew ? answer(201, view) : answer(200, view, { 'idempotent-replayed': 'true' })
  })

  addRoute(app, updateSavedView, async ({ params, body, caller }) =>
    answer(200, await views.update(caller.actor, params.organizationId, params.viewId, body)),
  )

  addRoute(app, deleteSavedView, async ({ params, caller }) => {
    await views.delete(caller.actor, params.organizationId, params.viewId)
    return answer(204, null)
  })
}
