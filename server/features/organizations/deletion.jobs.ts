import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { enqueueRemovals, finishRemoval, removeRows } from './deletion.queries.ts'

const reason = 'the grace of a deleted organisation is over'
// An item takes along comments, history and files: a batch takes well below a second.
const batchSize = 500

/** Removes organisations whose grace is over, with their rows and files. */
export function createDeletionJobs(database: Database): Job[] {
  return [
    defineCron('remove_closed_organizations', { at: '12 * * * *', catchUpHours: 24 }, () =>
      database.asSystem(reason, enqueueRemovals),
    ),

    // Each batch is a transaction of its own: the next run continues after one that was cut off.
    defineJob('remove_organization', Type.Object({ organizationId: Uuid }), async ({ organizationId }) => {
      for (;;) {
        const removed = await database.asSystem(reason, (tx) => removeRows(tx, organizationId, batchSize))
        if (removed === undefined) return
        if (removed < batchSize) break
      }
      await database.asSystem(reason, (tx) => finishRemoval(tx, organizationId))
    }),
  ]
}
