import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { wakeFeedback } from './feedback.queries.ts'

/** So many come back in one transaction. */
const batchSize = 200

/** Brings snoozed items back to the inbox within a minute of their time. */
export function createSnoozeJobs(database: Database): Job[] {
  return [
    defineCron('wake_feedback', { at: '* * * * *', catchUpHours: 0 }, async () => {
      while ((await wakeFeedback(database, batchSize)) === batchSize);
    }),
  ]
}
