import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { endFinished, pruneImpersonations } from './impersonations.queries.ts'

export function createImpersonationsJobs(database: Database): Job[] {
  return [
    // Calls are refused from the moment on at which one is over: this notes it.
    defineCron('end_impersonations', { at: '* * * * *', catchUpHours: 1 }, () =>
      database.asSystem('impersonations of all superadmins end', endFinished),
    ),
    defineCron('prune_impersonations', { at: '58 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem('impersonations of all superadmins grow old', (tx) => pruneImpersonations(tx, limit)),
      )
    }),
  ]
}
