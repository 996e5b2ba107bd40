import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import { deleteEndedGrant, listEndedGrants } from './granted-plans.queries.ts'
import { settleStatus } from './settle-status.ts'

const reason = 'granted plans end by the clock'
const grantsAtATime = 100

/** Ends granted plans whose time is over. */
export function createGrantedPlanJobs(database: Database): Job[] {
  return [
    defineCron('end_granted_plans', { at: '*/5 * * * *', catchUpHours: 1 }, async () => {
      let ended: readonly string[]
      do {
        ended = await database.asSystem(reason, (tx) => listEndedGrants(tx, grantsAtATime))
        for (const organizationId of ended) {
          await database.asSystem(reason, async (tx) => {
            // Undefined: it was extended or revoked since.
            const grant = await deleteEndedGrant(tx, organizationId)
            if (grant) await settleStatus(tx, organizationId, { ended: grant })
          })
        }
      } while (ended.length === grantsAtATime)
    }),
  ]
}
