import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import { unlockFeedback } from './unlock.queries.ts'

// Each batch is a transaction with its events: a killed job continues with the next.
const batchSize = 200

/** Unlocks feedback after a change of the plan. The database queues the job with that change. */
export function createUnlockJobs(database: Database): Job[] {
  const reason = 'the plan of an organisation has changed'
  return [
    defineJob('unlock_feedback', Type.Object({ organizationId: Uuid }), async ({ organizationId }) => {
      while (await database.asSystem(reason, (tx) => unlockFeedback(tx, organizationId, batchSize)));
    }),
  ]
}
