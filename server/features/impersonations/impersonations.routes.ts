import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/impersonations.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Impersonations } from './impersonations.service.ts'

export function impersonationsRoutes(app: FastifyInstance, impersonations: Impersonations): void {
  addRoute(app, contract.startImpersonation, async ({ caller, params, body }) =>
    answer(201, await impersonations.start(caller.actor, params.accountId, body)),
  )
  addRoute(app, contract.listImpersonations, async ({ params }) =>
    answer(200, { items: await impersonations.list(params.accountId) }),
  )
  addRoute(app, contract.endImpersonationOf, async ({ params }) => {
    await impersonations.endOf(params.impersonationId)
    return answer(204, null)
  })
  addRoute(app, contract.getImpersonation, async ({ caller, query }) =>
    answer(200, await impersonations.get(caller.actor, query.organizationId)),
  )
  addRoute(
    app,
    contract.endImpersonation,
    async ({ caller }) => {
      await impersonations.end(caller.actor)
      return answer(204, null)
    },
    { evenReadOnly: 'an impersonation can always be ended' },
  )
}
