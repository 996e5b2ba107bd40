import Type from 'typebox'
import type { Database } from '#server/platform/database/database.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { createDayRefresher } from './rollup/refresh-days.ts'
import { listOrganizationIds, markAllDays, sumWidgetDays } from './rollup/repair.queries.ts'

const reason = 'sums of a day are made for every organisation'
const repairedDays = 7

/** Keeps the sums of analytics in step with their items. */
export function createAnalyticsJobs(database: Database): Job[] {
  const days = createDayRefresher(database)

  async function markAll(lastDays?: number): Promise<void> {
    const ids = await database.asSystem(reason, listOrganizationIds)
    for (const id of ids) await database.asSystem(reason, (tx) => markAllDays(tx, id, lastDays))
  }

  return [
    defineJob('refresh_analytics', Type.Object({}), () => days.refresh()),
    // Once, for items from before the sums existed.
    defineJob('backfill_analytics', Type.Object({}), async () => {
      await markAll()
      await days.refresh()
    }),
    // Every change marks its day. This repairs a missed mark within a day.
    defineCron('repair_analytics', { at: '7 2 * * *', catchUpHours: 24 }, async () => {
      await markAll(repairedDays)
      await days.refresh()
    }),
    defineCron('sum_widget_days', { at: '4 * * * *', catchUpHours: 24 }, () =>
      database.asSystem(reason, (tx) => sumWidgetDays(tx, repairedDays)),
    ),
  ]
}
