import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

export async function listOrganizationIds(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<Row<'organizations', 'id'>>`select id from organizations order by id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Marks every day on which an organisation has items or sums. `lastDays` undefined: of all time. */
export async function markAllDays(tx: SystemTx, organizationIds: readonly string[], lastDays?: number): Promise<void> {
  const since =
    // In brackets: the cast to a timestamp below binds closer than the subtraction.
    lastDays === undefined ? sql`'-infinity'::date` : sql`((now() at time zone 'utc')::date - ${lastDays}::integer)`
  await sql`
    insert into app.feedback_day_marks (organization_id, day, is_whole)
    select o.id, d.day, true
    from unnest(${organizationIds}::uuid[]) as o (id)
    cross join lateral (
      select (f.created_at at time zone 'utc')::date as day
      from feedback f
      where f.organization_id = o.id and f.created_at >= ${since}::timestamp at time zone 'utc'
      union
      select s.day from feedback_days s where s.organization_id = o.id and s.day >= ${since}
    ) d
  `.execute(tx)
}

/** Adds up the widget's counters of the last days that are over. Counts may be late by as long as the database was away. */
export async function sumWidgetDays(tx: SystemTx, lastDays: number): Promise<void> {
  await sql`
    insert into widget_days as d (organization_id, project_id, day, loaded, opened, submitted)
    select c.organization_id, c.project_id, (c.hour at time zone 'utc')::date,
      coalesce(sum(c.n) filter (where c.event = 'loaded'), 0),
      coalesce(sum(c.n) filter (where c.event = 'opened'), 0),
      coalesce(sum(c.n) filter (where c.event = 'submitted'), 0)
    from widget_counters c
    where c.hour >= least(
        date_trunc('day', now(), 'utc') - make_interval(days => ${lastDays}::integer),
        -- Where it was last done, should that be longer ago.
        coalesce((select max(l.day) from widget_days l), '-infinity'::date)::timestamp at time zone 'utc')
      and c.hour < date_trunc('day', now(), 'utc')
    group by 1, 2, 3
    on conflict (organization_id, project_id, day) do update
    set loaded = excluded.loaded, opened = excluded.opened, submitted = excluded.submitted
    where (d.loaded, d.opened, d.submitted) is distinct from (excluded.loaded, excluded.opened, excluded.submitted)
  `.execute(tx)
}
