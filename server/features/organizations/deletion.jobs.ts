import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { enqueueRemovals, finishRemoval, isDue, removeRows } from './deletion.queries.ts'

const reason = 'the grace of a deleted organisation is over'
// An item takes along comments, history and files: a batch takes well below a second.
const batchSize = 500

/** What the removal of an organisation needs of other features. */
export interface DeletionNeeds {
  /** Ends everything that would still be charged to an organisation, at once. */
  readonly endPayments: (organizationId: string) => Promise<void>
}

/** Removes organisations whose grace is over, with their rows and files. */
export function createDeletionJobs(database: Database, { endPayments }: DeletionNeeds): Job[] {
  return [
    defineCron('remove_closed_organizations', { at: '12 * * * *', catchUpHours: 24 }, () =>
      database.asSystem(reason, enqueueRemovals),
    ),

    // Each batch is a transaction of its own: the next run continues after one that was cut off.
    defineJob('remove_organization', Type.Object({ organizationId: Uuid }), async ({ organizationId }) => {
      if (!(await database.asSystem(reason, (tx) => isDue(tx, organizationId)))) return
      // Its customer's name is among the rows: once they are gone, no one would end what Stripe charges.
      await endPayments(organizationId)
      for (;;) {
        const removed = await database.asSystem(reason, (tx) => removeRows(tx, organizationId, batchSize))
        if (removed === undefined) return
        if (removed < batchSize) break
      }
      await database.asSystem(reason, (tx) => finishRemoval(tx, organizationId))
    }),
  ]
}
