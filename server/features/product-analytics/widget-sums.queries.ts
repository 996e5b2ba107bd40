import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** How often something happened with the widget of a project on one day. */
export interface WidgetSum
  extends RowAs<'widget_counters', { organizationId: 'organization_id'; projectId: 'project_id'; event: 'event' }> {
  /** In UTC, as 2026-11-22. */
  readonly day: string
  readonly count: number
}

/** Sums of yesterday, in UTC. */
export async function listWidgetSums(tx: SystemTx): Promise<WidgetSum[]> {
  const { rows } = await sql<WidgetSum>`
    select organization_id as "organizationId", project_id as "projectId", event,
      to_char(min(hour) at time zone 'utc', 'YYYY-MM-DD') as day, sum(n)::float8 as count
    from widget_counters
    where hour >= date_trunc('day', now(), 'utc') - interval '1 day' and hour < date_trunc('day', now(), 'utc')
      and event in ('loaded', 'opened', 'closed')
    group by organization_id, project_id, event
    order by organization_id, project_id, event
  `.execute(tx)
  return rows
}
