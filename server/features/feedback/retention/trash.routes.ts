import type { FastifyInstance } from 'fastify'
import { emptyTrash } from '#contract/trash.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Trash } from './retention.service.ts'

export function trashRoutes(app: FastifyInstance, trash: Trash): void {
  addRoute(app, emptyTrash, async ({ params, body, caller }) =>
    answer(200, await trash.empty(caller.actor, params.organizationId, body.ids)),
  )
}
