import type { FastifyInstance } from 'fastify'
import { listSimilar, mergeFeedback, unmergeFeedback } from '#contract/merge.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Merges } from './merge.service.ts'

export function mergeRoutes(app: FastifyInstance, merges: Merges): void {
  addRoute(app, listSimilar, async ({ params, caller }) =>
    answer(200, { items: await merges.listSimilar(caller.actor, params.organizationId, params.feedbackId) }),
  )

  addRoute(app, mergeFeedback, async ({ params, body, caller }) =>
    answer(200, await merges.merge(caller.actor, params.organizationId, params.feedbackId, body)),
  )

  addRoute(app, unmergeFeedback, async ({ params, body, caller }) =>
    answer(200, await merges.unmerge(caller.actor, params.organizationId, params.feedbackId, body)),
  )
}
