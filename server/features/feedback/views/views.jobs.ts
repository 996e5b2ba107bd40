import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { deleteOrphanedViews } from './views.queries.ts'

export function createViewJobs(database: Database): Job[] {
  return [defineCron('prune_views', { at: '44 2 * * *', catchUpHours: 24 }, () => deleteOrphanedViews(database))]
}
