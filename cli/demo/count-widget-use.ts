import type { Chance } from './chance.ts'
import { dayMs } from './choose-time.ts'

/** The widget counts of a project within an hour. */
export interface DemoCount {
  readonly project_id: string
  readonly hour: Date
  readonly event: 'loaded' | 'opened' | 'submitted'
  readonly n: number
}

/**
 * Counters that match the items: few page views open the widget, and one in three of those sends feedback. One hour
 * holds the counts of a whole past day.
 */
export function countWidgetUse(
  chance: Chance,
  items: readonly { projectId: string; source: string; createdAt: Date }[],
  now: Date,
  days: number,
): DemoCount[] {
  const today = new Date(now).setUTCHours(0, 0, 0, 0)
  const sent = new Map<string, number>()
  for (const { projectId, source, createdAt } of items) {
    if (source !== 'widget') continue
    const key = `${projectId} ${Math.floor(createdAt.getTime() / dayMs)}`
    sent.set(key, (sent.get(key) ?? 0) + 1)
  }
  const projectIds = [...new Set(items.map(({ projectId }) => projectId))]
  return projectIds.flatMap((project_id, index) =>
    Array.from({ length: days }, (_, daysAgo) => today - daysAgo * dayMs).flatMap((day) => {
      const submitted = sent.get(`${project_id} ${Math.floor(day / dayMs)}`) ?? 0
      const opened = Math.round(submitted * (2 + chance.between(0, 18) / 10)) + chance.between(0, 3)
      const loaded = Math.round((opened + 4) * chance.between(38, 62) * (index === 0 ? 1.6 : 1))
      // For today, the counts so far.
      const hour = new Date(day + (day === today ? 0 : 12 * 3_600_000))
      return (
        [
          ['loaded', loaded],
          ['opened', opened],
          ['submitted', submitted],
        ] as const
      )
        .filter(([, n]) => n > 0)
        .map(([event, n]) => ({ project_id, hour, event, n }))
    }),
  )
}
