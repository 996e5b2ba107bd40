import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-subscriptions.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { SuperadminSubscriptions } from './superadmin-subscriptions.service.ts'

export function superadminSubscriptionsRoutes(app: FastifyInstance, subscriptions: SuperadminSubscriptions): void {
  addRoute(app, contract.listSubscribers, async ({ query }) => answer(200, await subscriptions.list(query)))
  addDownload(app, contract.exportSubscribers, ({ body }) => subscriptions.export(body))
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
