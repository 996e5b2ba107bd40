import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { deleteSilentPages } from './presence.queries.ts'

export function createPresenceJobs(database: Database): Job[] {
  return [defineCron('prune_presence', { at: '42 2 * * *', catchUpHours: 24 }, () => deleteSilentPages(database))]
}
