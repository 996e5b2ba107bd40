import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-subscriptions.ts'
import { downloadOptions } from '#server/platform/events/record-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { SuperadminSubscriptions } from './superadmin-subscriptions.service.ts'

export function superadminSubscriptionsRoutes(app: FastifyInstance, subscriptions: SuperadminSubscriptions): void {
  addRoute(app, contract.listSubscribers, async ({ query }) => answer(200, await subscriptions.list(query)))
  addRoute(
    app,
    contract.exportSubscribers,
    async ({ body }) =>
      // A stream is sent as it is; the contract can only call it text.
      answer(200, (await subscriptions.export(body)) as unknown as string, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="subscriptions-${new Date().toISOString().slice(0, 10)}.csv"`,
      }),
    downloadOptions,
  )
  addRoute(app, contract.getSubscriber, async ({ params }) =>
    answer(200, await subscriptions.read(params.organizationId)),
  )
  addRoute(app, contract.changeSubscriberPlan, async ({ params, body }) =>
    answer(200, await subscriptions.changePlan(params.organizationId, body)),
  )
  addRoute(app, contract.cancelSubscriber, async ({ params, body }) =>
    answer(200, await subscriptions.cancel(params.organizationId, body)),
  )
  addRoute(app, contract.refundPayment, async ({ params, body }) =>
    answer(200, await subscriptions.refund(params.organizationId, body)),
  )
  addRoute(app, contract.grantPlan, async ({ params, body, caller }) =>
    answer(200, await subscriptions.grantPlan(caller.actor.userId, params.organizationId, body)),
  )
  addRoute(app, contract.revokeGrantedPlan, async ({ params, body }) =>
    answer(200, await subscriptions.revokeGrantedPlan(params.organizationId, body.reason)),
  )
  addRoute(app, contract.extendTrial, async ({ params, body }) =>
    answer(200, await subscriptions.extendTrial(params.organizationId, body)),
  )
}
