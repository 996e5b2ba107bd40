import Type from 'typebox'
import type { Database } from '#server/platform/database/database.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { createDayRefresher } from './rollup/refresh-days.ts'
import { listOrganizationIds, markAllDays, sumWidgetDays } from './rollup/repair.queries.ts'

const reason = 'sums of a day are made for every organisation'
const repairedDays = 7
/** Organisations whose last days are marked in one transaction. */
const repairedAtOnce = 20

/** Keeps the sums of analytics in step with their items. */
export function createAnalyticsJobs(database: Database): Job[] {
  const days = createDayRefresher(database)

  async function markAll(lastDays?: number): Promise<void> {
    const ids = await database.asSystem(reason, listOrganizationIds)
    // Of all time, a large organisation fills a transaction by itself.
    const atOnce = lastDays === undefined ? 1 : repairedAtOnce
    for (let from = 0; from < ids.length; from += atOnce) {
      const some = ids.slice(from, from + atOnce)
      await database.asSystem(reason, (tx) => markAllDays(tx, some, lastDays))
    }
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
