import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { deleteOldDeliveries } from './delivery/deliveries.queries.ts'
import { deleteExpired } from './github-app/github-app.queries.ts'
import { deleteRowsOf, removeIntegration } from './integrations.queries.ts'
import { deleteOldHooks } from './issues/links.queries.ts'

const Removed = Type.Object({ organizationId: Uuid, integrationId: Uuid })
const keptDays = 30
const hookDays = 7

export function createIntegrationJobs(database: Database): Job[] {
  const prune = defineCron('prune_deliveries', { at: '40 3 * * *', catchUpHours: 24 }, async () => {
    await deleteInBatches((limit) =>
      database.asSystem('old deliveries of every organisation are deleted', (tx) =>
        deleteOldDeliveries(tx, { days: keptDays, limit }),
      ),
    )
    await deleteInBatches((limit) =>
      database.asSystem('old calls of trackers are deleted', (tx) => deleteOldHooks(tx, { days: hookDays, limit })),
    )
    await database.asSystem('GitHub Apps that were never connected expire', deleteExpired)
  })
  const remove = defineJob('remove_integration', Removed, async (removed) => {
    const reason = 'a disconnected integration goes with what belongs to it'
    for (const table of ['deliveries', 'issue_links'] as const) {
      await deleteInBatches((limit) => database.asSystem(reason, (tx) => deleteRowsOf(tx, table, removed, limit)))
    }
    await database.asSystem(reason, (tx) => removeIntegration(tx, removed))
  })
  return [prune, remove]
}
