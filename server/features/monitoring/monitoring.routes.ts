import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-monitoring.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { FailedJobs } from './failed-jobs/failed-jobs.service.ts'
import type { Monitoring } from './monitoring.service.ts'

export function monitoringRoutes(app: FastifyInstance, monitoring: Monitoring, jobs: FailedJobs): void {
  addRoute(app, contract.getMonitoring, async () => answer(200, await monitoring.readNow()))
  addDownload(app, contract.exportSlowQueries, () => monitoring.exportSlowQueries())
  addRoute(app, contract.getMonitoringHistory, async ({ query: { hours = 336 } }) =>
    answer(200, await monitoring.readHistory(hours)),
  )
  addRoute(app, contract.listThresholds, async () => answer(200, await monitoring.listThresholds()))
  addRoute(app, contract.changeThreshold, async ({ params, body }) =>
    answer(200, await monitoring.changeThreshold(params.figure, body)),
  )
  addRoute(app, contract.resetThreshold, async ({ params }) =>
    answer(200, await monitoring.resetThreshold(params.figure)),
  )
  addRoute(app, contract.listFailedJobs, async ({ query }) => answer(200, await jobs.list(query)))
  addDownload(app, contract.exportFailedJobs, ({ body }) => jobs.export(body))
  addRoute(app, contract.retryFailedJob, async ({ params }) => answer(200, await jobs.retry(params.jobId)))
  addRoute(app, contract.retryFailedJobs, async ({ body }) => answer(200, await jobs.retryAll(body)))
  addRoute(app, contract.deleteFailedJob, async ({ params }) => answer(200, await jobs.delete(params.jobId)))
}
