import type { Database } from '../database/database.ts'
import { deleteInBatches } from '../jobs/delete-in-batches.ts'
import { defineCron, type Job } from '../jobs/job.ts'
import { deleteFullBuckets } from './limits.queries.ts'

/** Buckets that have filled up again. Often, because a flood from many addresses leaves one behind for each. */
export function createLimitJobs(database: Database): Job[] {
  return [
    defineCron('prune_rate_limits', { at: '*/10 * * * *', catchUpHours: 0 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem('limits are the instance’s own', (tx) => deleteFullBuckets(tx, limit)),
      )
    }),
  ]
}
