import type { Database } from '../database/database.ts'
import { deleteInBatches } from '../jobs/delete-in-batches.ts'
import { defineCron, type Job } from '../jobs/job.ts'
import { deleteFullBuckets } from './limits.queries.ts'

/** Prunes full buckets. Frequent, because a flood from many addresses leaves one row each. */
export function createLimitJobs(database: Database): Job[] {
  return [
    defineCron(
      'prune_rate_limits',
      { at: '*/10 * * * *', catchUpHours: 0 },
      async () => {
        await deleteInBatches((limit) =>
          database.asSystem('rate limits span organisations', (tx) => deleteFullBuckets(tx, limit)),
        )
      },
      { evenReadOnly: 'refused requests are counted as well' },
    ),
  ]
}
