import { v5 as uuidV5 } from 'uuid'
import type { AnalyticsName } from '#contract/analytics-events.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import type { Capture } from './capture.ts'
import { listWidgetSums } from './widget-sums.queries.ts'

const names: Readonly<Record<string, AnalyticsName>> = {
  loaded: 'widget_loaded',
  opened: 'widget_opened',
  closed: 'widget_closed',
}

/**
 * Sends the use of the widget once a day: one event with a `count` for each project and kind, at noon (UTC) of the day
 * that it counts. A site with a million page loads a day would otherwise send a million events.
 */
export function createWidgetSumsJob(database: Database, capture: Capture): Job {
  return {
    ...defineCron('capture_widget_sums', { at: '20 0 * * *', catchUpHours: 23 }, async () => {
      const sums = await database.asSystem('use of the widget is counted for every organisation', listWidgetSums)
      await capture(
        sums.flatMap(({ organizationId, projectId, event, day, count }) => {
          const name = names[event]
          if (!name) return []
          return {
            id: uuidV5(`${name} ${day}`, projectId),
            name,
            properties: { project_id: projectId, day, count },
            organizationId,
            userId: null,
            at: new Date(`${day}T12:00:00Z`),
          }
        }),
      )
    }),
    pool: 'transfer',
  }
}
