import type { FastifyInstance } from 'fastify'
import {
  getAnalyticsFunnel,
  getAnalyticsOrigins,
  getAnalyticsTimes,
  getAnalyticsTrends,
  getInboxOverview,
} from '#contract/analytics.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Analytics } from './analytics.service.ts'

export function analyticsRoutes(app: FastifyInstance, analytics: Analytics): void {
  addRoute(app, getAnalyticsTrends, async ({ params, query, caller }) =>
    answer(200, await analytics.readTrends(caller.actor, params.organizationId, query)),
  )

  addRoute(app, getAnalyticsTimes, async ({ params, query, caller }) =>
    answer(200, await analytics.readTimes(caller.actor, params.organizationId, query)),
  )

  addRoute(app, getAnalyticsOrigins, async ({ params, query, caller }) =>
    answer(200, await analytics.readOrigins(caller.actor, params.organizationId, query)),
  )

  addRoute(app, getAnalyticsFunnel, async ({ params, query, caller }) =>
    answer(200, await analytics.readFunnel(caller.actor, params.organizationId, query)),
  )

  addRoute(app, getInboxOverview, async ({ params, caller }) =>
    answer(200, await analytics.readOverview(caller.actor, params.organizationId)),
  )
}
