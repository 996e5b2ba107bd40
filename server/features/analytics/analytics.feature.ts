import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createAnalyticsJobs } from './analytics.jobs.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { createAnalytics } from './analytics.service.ts'
import { createAnalyticsSubscribers } from './analytics.subscribers.ts'

export function createAnalyticsFeature({ database, reports }: Platform): Feature {
  return {
    name: 'analytics',
    routes: (app) => analyticsRoutes(app, createAnalytics(reports, database)),
    jobs: () => createAnalyticsJobs(database),
    subscribers: createAnalyticsSubscribers(database),
  }
}
