import type { FastifyInstance } from 'fastify'
import { apiEraseVisitor, apiGetVisitor, apiListVisitors } from '#contract/public-visitors.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Visitors } from './visitors.service.ts'

/** Visitors for programs: those of an API key's project. */
export function keyVisitorRoutes(
  app: FastifyInstance,
  visitors: Pick<Visitors, 'list' | 'get' | 'listFeedback' | 'eraseFromProject'>,
): void {
  addRoute(app, apiListVisitors, async ({ query, caller }) =>
    answer(200, await visitors.list(caller.actor, caller.organizationId, query)),
  )

  addRoute(app, apiGetVisitor, async ({ params, query, caller: { actor, organizationId } }) => {
    const { projects: _, joined: __, ...visitor } = await visitors.get(actor, organizationId, params.key)
    const page = await visitors.listFeedback(actor, organizationId, { ...query, visitor: params.key })
    return answer(200, { visitor, ...page })
  })

  addRoute(app, apiEraseVisitor, async ({ params, caller }) => {
    const erasure = await visitors.eraseFromProject(caller.actor, caller, params.key)
    return erasure === undefined ? answer(204, null) : answer(202, erasure)
  })
}
