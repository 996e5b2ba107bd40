import type { Feature } from '#server/platform/feature.ts'
import { defineCron } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { foldUsage, foldWidgetUsage, repairUsage } from './fold-usage.ts'
import { metricsRoutes } from './metrics.routes.ts'
import { createSuperadminMetrics } from './metrics.service.ts'

/** How the instance is used: sums by day, which jobs make, and the superadmins' metrics, which read them. */
export function createSuperadminMetricsFeature({ database, reports }: Platform): Feature {
  return {
    name: 'superadmin-metrics',
    routes: (app) => metricsRoutes(app, createSuperadminMetrics(database, reports)),
    jobs: () => [
      defineCron('fold_usage', { at: '* * * * *', catchUpHours: 1 }, () => foldUsage(database)),
      defineCron('fold_widget_usage', { at: '*/10 * * * *', catchUpHours: 24 }, () => foldWidgetUsage(database)),
      defineCron('repair_usage', { at: '27 2 * * *', catchUpHours: 24 }, () => repairUsage(database)),
    ],
  }
}
