import type { FastifyInstance } from 'fastify'
import { exportMetricsParts, getMetrics, listMetricsParts } from '#contract/superadmin-metrics.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { SuperadminMetrics } from './metrics.service.ts'

export function metricsRoutes(app: FastifyInstance, metrics: SuperadminMetrics): void {
  addRoute(app, getMetrics, async ({ query }) => answer(200, await metrics.report(query)))
  addRoute(app, listMetricsParts, async ({ query }) => answer(200, await metrics.listParts(query)))
  addDownload(app, exportMetricsParts, ({ body }) => metrics.exportParts(body))
}
