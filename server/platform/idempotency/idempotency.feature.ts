import type { Feature } from '../feature.ts'
import { deleteInBatches } from '../jobs/delete-in-batches.ts'
import { defineCron } from '../jobs/job.ts'
import type { Platform } from '../platform.ts'
import { deleteOldRequests } from './idempotency.queries.ts'

/** Stored answers of the public API, which are deleted after a day. */
export function createIdempotencyFeature({ database }: Platform): Feature {
  const prune = async () => {
    await deleteInBatches((limit) =>
      database.asSystem('stored answers span organisations', (tx) => deleteOldRequests(tx, limit)),
    )
  }
  return {
    name: 'idempotency',
    jobs: () => [defineCron('prune_idempotent_requests', { at: '17 * * * *', catchUpHours: 0 }, prune)],
  }
}
