import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { compactReads } from './reads.queries.ts'

/** Keeps what members have read as small as what they have not. */
export function createReadJobs(database: Database): Job[] {
  return [defineCron('compact_reads', { at: '10 3 * * *', catchUpHours: 24 }, () => compactReads(database))]
}
