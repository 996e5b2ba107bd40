import type { FastifyInstance } from 'fastify'
import { joinVisitors, separateVisitor } from '#contract/visitor-joins.ts'
import {
  eraseVisitor,
  exportVisitor,
  getVisitor,
  getVisitorErasure,
  listVisitorFeedback,
  listVisitors,
  previewErasure,
} from '#contract/visitors.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { VisitorJoins } from './joins.service.ts'
import type { Visitors } from './visitors.service.ts'

export function visitorRoutes(app: FastifyInstance, visitors: Visitors, joins: VisitorJoins): void {
  addRoute(app, joinVisitors, async ({ params, body, caller }) =>
    answer(200, await joins.join(caller.actor, params.organizationId, body)),
  )

  addRoute(app, separateVisitor, async ({ params, body, caller }) => {
    await joins.separate(caller.actor, params.organizationId, body.part)
    return answer(204, null)
  })

  addRoute(app, listVisitors, async ({ params, query, caller }) =>
    answer(200, await visitors.list(caller.actor, params.organizationId, query)),
  )

  addRoute(app, getVisitor, async ({ params, query, caller }) =>
    answer(200, await visitors.get(caller.actor, params.organizationId, query.visitor)),
  )

  addRoute(app, listVisitorFeedback, async ({ params, query, caller }) =>
    answer(200, await visitors.listFeedback(caller.actor, params.organizationId, query)),
  )

  addRoute(app, exportVisitor, async ({ params, query, caller, request }) => {
    const archive = await visitors.export(caller.actor, params.organizationId, query.visitor)
    request.raw.on('close', () => archive.destroy())
    // A stream is sent as it is; the contract can only call it text.
    return answer(200, archive as unknown as string, {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="visitor.zip"',
      'cache-control': 'no-store',
    })
  })

  addRoute(app, previewErasure, async ({ params, query }) =>
    answer(200, await visitors.previewErasure(params.organizationId, query.visitor)),
  )

  addRoute(app, eraseVisitor, async ({ params, body, caller }) => {
    const { erasure, isNew } = await visitors.erase(caller.actor, params.organizationId, body)
    return isNew ? answer(201, erasure) : answer(200, erasure, { 'idempotent-replayed': 'true' })
  })

  addRoute(app, getVisitorErasure, async ({ params, caller }) =>
    answer(200, await visitors.getErasure(caller.actor, params.organizationId, params.erasureId)),
  )
}
