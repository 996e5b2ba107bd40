import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { deleteOldOperations } from './operations.queries.ts'
import { takeTurn } from './run-operation.ts'

const Operation = Type.Object({ organizationId: Uuid, operationId: Uuid, actorUserId: Uuid })

/** Changes of many items, a few at a time. */
export function createBulkJobs(database: Database): Job[] {
  return [
    defineJob('change_feedback', Operation, ({ actorUserId, ...key }) => takeTurn(database, actorUserId, key)),
    defineCron('prune_operations', { at: '40 2 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) => deleteOldOperations(database, limit))
    }),
  ]
}
