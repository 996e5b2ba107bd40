import { sql } from 'kysely'
import { openStatuses } from '#contract/feedback.ts'
import { matchLimit } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row, RowAs } from '#server/platform/database/row.ts'

/** Days `from` to `to`, both included, of these projects; of the whole organisation where none is named. */
export interface Span {
  readonly organizationId: string
  readonly projectIds: readonly string[] | undefined
  readonly from: string
  readonly to: string
}

export interface DayRow extends Row<'feedback_days', 'items' | 'ratings' | 'nps'> {
  day: string
  types: Refined<'feedback_days', 'types', Record<string, number>>
  sources: Refined<'feedback_days', 'sources', Record<string, number>>
  statuses: Refined<'feedback_days', 'statuses', Record<string, number>>
}

export interface TimesRow
  extends RowAs<
    'feedback_days',
    { firstView: 'first_view'; firstResponse: 'first_response'; resolution: 'resolution' }
  > {
  day: string
}

export async function listDays(tx: TenantTx, { organizationId, projectIds, from, to }: Span): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select d.day::text as day, d.items, d.types, d.sources, d.statuses, d.ratings, d.nps
    from feedback_days d
    where d.organization_id = ${organizationId} and d.scope_id = any (${[...(projectIds ?? [organizationId])]}::uuid[])
      and d.day between ${from}::date and ${to}::date
  `.execute(tx)
  return rows
}

/** Apart from the others: histograms are most of a row. */
export async function listTimes(tx: TenantTx, { organizationId, projectIds, from, to }: Span): Promise<TimesRow[]> {
  const { rows } = await sql<TimesRow>`
    select d.day::text as day, d.first_view as "firstView", d.first_response as "firstResponse", d.resolution
    from feedback_days d
    where d.organization_id = ${organizationId} and d.scope_id = any (${[...(projectIds ?? [organizationId])]}::uuid[])
      and d.day between ${from}::date and ${to}::date
  `.execute(tx)
  return rows
}

export interface ValueRow {
  dimension: 'page' | 'browser' | 'country'
  value: string
  total: number
  previousTotal: number
  /** Of the dimension, this value included. */
  dimensionTotal: number
  previousDimensionTotal: number
}

/** The `limit` most frequent named values of each dimension from `middle` on, with their counts before it. */
export async function listTopValues(
  tx: TenantTx,
  { organizationId, projectIds, from, to, middle, limit }: Span & { middle: string; limit: number },
): Promise<ValueRow[]> {
  const { rows } = await sql<ValueRow>`
    select * from (
      select s.*, row_number() over (partition by s.dimension order by s.value = '', s.total desc, s."previousTotal" desc, s.value) as place,
        sum(s.total) over (partition by s.dimension)::int as "dimensionTotal",
        sum(s."previousTotal") over (partition by s.dimension)::int as "previousDimensionTotal"
      from (
        select v.dimension, v.value,
          coalesce(sum(v.n) filter (where v.day >= ${middle}::date), 0)::int as total,
          coalesce(sum(v.n) filter (where v.day < ${middle}::date), 0)::int as "previousTotal"
        from feedback_day_values v
        where v.organization_id = ${organizationId} and v.scope_id = any (${[...(projectIds ?? [organizationId])]}::uuid[])
          and v.dimension in ('page', 'browser', 'country') and v.day between ${from}::date and ${to}::date
        group by v.dimension, v.value
      ) s
    ) r
    where r.place <= ${limit}
    order by r.dimension, r.place
  `.execute(tx)
  return rows
}

export interface WidgetDayRow {
  day: string
  loaded: number
  opened: number
  submitted: number
}

/** Whole days from their sums, and the time after the last of them hour by hour. */
export async function listWidgetDays(
  tx: TenantTx,
  { organizationId, projectIds, from, to }: Span,
): Promise<WidgetDayRow[]> {
  const inProjects = projectIds === undefined ? sql`true` : sql`c.project_id = any (${[...projectIds]}::uuid[])`
  const { rows } = await sql<WidgetDayRow>`
    with latest as (
      -- They are made for all projects at once, so the organisation's last day says where sums end.
      select coalesce(max(d.day) + 1, '-infinity'::date) as day
      from projects p
      cross join lateral (
        select w.day from widget_days w
        where w.organization_id = p.organization_id and w.project_id = p.id order by w.day desc limit 1
      ) d
      where p.organization_id = ${organizationId}
    )
    select c.day::text as day, sum(c.loaded)::bigint as loaded, sum(c.opened)::bigint as opened,
           sum(c.submitted)::bigint as submitted
    from widget_days c
    where c.organization_id = ${organizationId} and ${inProjects} and c.day between ${from}::date and ${to}::date
      and c.day < (select l.day from latest l)
    group by c.day
    union all
    select (c.hour at time zone 'utc')::date::text,
      coalesce(sum(c.n) filter (where c.event = 'loaded'), 0)::bigint,
      coalesce(sum(c.n) filter (where c.event = 'opened'), 0)::bigint,
      coalesce(sum(c.n) filter (where c.event = 'submitted'), 0)::bigint
    from widget_counters c
    where c.organization_id = ${organizationId} and ${inProjects}
      and c.hour >= greatest((select l.day from latest l), ${from}::date)::timestamp at time zone 'utc'
      and c.hour < (${to}::date + 1)::timestamp at time zone 'utc'
    group by (c.hour at time zone 'utc')::date
  `.execute(tx)
  return rows
}

export interface OverviewRow {
  unread: number
  fresh: number
  priorities: Record<string, number> | null
  assignees: Record<string, number> | null
}

/** Items in the inbox, of all days. */
export async function readInboxSums(tx: TenantTx, organizationId: string): Promise<OverviewRow> {
  const sums = (column: string) => sql`(
    select jsonb_object_agg(s.key, s.n)
    from (
      select e.key, sum(e.value::int)::int as n
      from feedback_days d cross join lateral jsonb_each_text(d.${sql.ref(column)}) e
      where d.organization_id = ${organizationId} and d.scope_id = ${organizationId}
        and d.${sql.ref(column)} <> '{}'
      group by e.key
    ) s)`
  const { rows } = await sql<OverviewRow>`
    select app.count_unread(${organizationId}, 'inbox', ${[...openStatuses]}::text[], null, ${matchLimit}) as unread,
      coalesce(sum(d.inbox_new), 0)::int as fresh,
      ${sums('inbox_priorities')} as priorities, ${sums('inbox_assignees')} as assignees
    from feedback_days d
    where d.organization_id = ${organizationId} and d.scope_id = ${organizationId}
  `.execute(tx)
  return rows[0] ?? { unread: 0, fresh: 0, priorities: null, assignees: null }
}
