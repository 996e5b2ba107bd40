import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** Waits until all that was written is counted in the sums by day. */
export async function waitForSums(server: TestServer): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await server.client.query(
          `select (select count(*)::int from graphile_worker.jobs where attempts < max_attempts
              and (task_identifier like '%analytics' or task_identifier like 'event:%' or task_identifier in ('dispatch_events', 'sum_widget_days'))) as jobs,
                  (select count(*)::int from app.events where dispatched_at is null) as events,
                  (select count(*)::int from app.feedback_day_marks) as marks`,
        )
        return rows[0]
      },
      { timeout: 20_000, interval: 100 },
    )
    .toEqual({ jobs: 0, events: 0, marks: 0 })
}
