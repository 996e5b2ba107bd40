import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { deleteOldOperations } from './bulk/operations.queries.ts'
import { takeTurn } from './bulk/run-operation.ts'
import { deleteSilentPages } from './presence/presence.queries.ts'
import { deleteOrphanedViews } from './views/views.queries.ts'

const Operation = Type.Object({ organizationId: Uuid, operationId: Uuid, actorUserId: Uuid })

/** What changes many items, a few at a time, and what tidies up after the team. */
export function createTriageJobs(database: Database): Job[] {
  return [
    defineJob('change_feedback', Operation, ({ actorUserId, ...key }) => takeTurn(database, actorUserId, key)),
    defineCron('tidy_triage', { at: '40 2 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) => deleteOldOperations(database, limit))
      await deleteSilentPages(database)
      await deleteOrphanedViews(database)
    }),
  ]
}
