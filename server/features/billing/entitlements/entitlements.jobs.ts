import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { endTrials, warnOfLimits } from './entitlements.queries.ts'

const trialsAtATime = 100
const organizationsAtATime = 500

/** Notes ended trials, and warns of trials that end and of limits. */
export function createEntitlementJobs(database: Database): Job[] {
  const reason = 'trials and limits of all organisations are watched'
  return [
    defineCron('watch_plans', { at: '*/5 * * * *', catchUpHours: 1 }, async () => {
      while ((await database.asSystem(reason, (tx) => endTrials(tx, trialsAtATime))) === trialsAtATime);
      let after: string | null = null
      do after = await database.asSystem(reason, (tx) => warnOfLimits(tx, after, organizationsAtATime))
      while (after !== null)
    }),
  ]
}
