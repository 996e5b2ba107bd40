import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { pruneEntries } from './audit.queries.ts'

/** Prunes entries older than the retention. */
export function createAuditJobs(database: Database): Job[] {
  return [
    defineCron('prune_audit_log', { at: '57 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem('entries of every organisation grow old', (tx) => pruneEntries(tx, limit)),
      )
    }),
  ]
}
