import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Collector, startCollector } from './collect.ts'
import { createFailedJobs } from './failed-jobs/failed-jobs.service.ts'
import { monitoringRoutes } from './monitoring.routes.ts'
import { createMonitoring } from './monitoring.service.ts'

/** What every process and the whole instance measure each minute, alerts, and the failed jobs of the queue. */
export function createMonitoringFeature(platform: Pick<Platform, 'config' | 'database' | 'log'>): Feature {
  let collector: Collector | undefined
  return {
    name: 'monitoring',
    start: async (services) => {
      collector = startCollector(platform, services)
    },
    stop: () => collector?.stop(),
    routes: (app) => monitoringRoutes(app, createMonitoring(platform.database), createFailedJobs(platform.database)),
  }
}
