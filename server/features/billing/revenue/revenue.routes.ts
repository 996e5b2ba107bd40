import type { FastifyInstance } from 'fastify'
import { exportRevenueParts, getRevenue, listRevenueParts } from '#contract/revenue.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Revenue } from './revenue.service.ts'

export function revenueRoutes(app: FastifyInstance, revenue: Revenue): void {
  addRoute(app, getRevenue, async ({ query }) => answer(200, await revenue.report(query.months)))
  addRoute(app, listRevenueParts, async ({ query }) => answer(200, await revenue.listParts(query)))
  addDownload(app, exportRevenueParts, ({ body }) => revenue.exportParts(body))
}
