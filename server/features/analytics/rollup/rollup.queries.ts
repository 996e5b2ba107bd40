import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { FoldedDay, FoldedValue } from './fold-day.ts'

/** A day of an organisation to recount. */
export interface MarkedDay {
  readonly organizationId: string
  /** `2026-01-31`, in UTC. */
  readonly day: string
}

/** Marks the days of these items for a whole recount. Items removed meanwhile were marked by their removal. */
export async function markDaysOf(
  tx: SystemTx,
  items: readonly { readonly organizationId: string; readonly id: string }[],
): Promise<void> {
  await sql`
    insert into app.feedback_day_marks (organization_id, day, is_whole)
    select distinct f.organization_id, (f.created_at at time zone 'utc')::date, true
    from unnest(
      ${items.map((item) => item.organizationId)}::uuid[], ${items.map((item) => item.id)}::uuid[]
    ) as i (organization_id, id)
    join feedback f on f.organization_id = i.organization_id and f.id = i.id
  `.execute(tx)
}

/** Refreshes soon, once for all requests until then. */
export async function enqueueRefresh(tx: SystemTx, afterMs: number): Promise<void> {
  await sql`
    select app.enqueue_job('refresh_analytics', '{}', 'refresh_analytics', now() + make_interval(secs => ${afterMs / 1000}))
  `.execute(tx)
}

/** Refreshes soon, by a job without a key, so that no transaction waits for the job's row. */
export async function enqueueOwnRefresh(tx: SystemTx, afterMs: number): Promise<void> {
  await sql`
    select app.enqueue_job('refresh_analytics', '{}', null, now() + make_interval(secs => ${afterMs / 1000}))
  `.execute(tx)
}

/** The latest days first: they are looked at. */
export async function listMarkedDays(tx: SystemTx, limit: number): Promise<MarkedDay[]> {
  const { rows } = await sql<MarkedDay>`
    select organization_id as "organizationId", day::text as day
    from app.feedback_day_marks
    group by organization_id, day
    order by feedback_day_marks.day desc, organization_id
    limit ${limit}
  `.execute(tx)
  return rows
}

/** Whether this transaction is now the only one that makes the sums of this day. */
export async function tryLockDay(tx: SystemTx, { organizationId, day }: MarkedDay): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`feedback_days ${organizationId} ${day}`}, 0)) as locked
  `.execute(tx)
  return rows[0]?.locked ?? false
}

/** Deletes a day's marks. Later marks stay, for the next recount. Undefined: there were none. */
export async function takeMarks(
  tx: SystemTx,
  { organizationId, day }: MarkedDay,
): Promise<{ isWhole: boolean } | undefined> {
  const { rows } = await sql<{ isWhole: boolean | null }>`
    with taken as (
      delete from app.feedback_day_marks
      where organization_id = ${organizationId} and day = ${day}::date
      returning is_whole
    )
    select bool_or(is_whole) as "isWhole" from taken
  `.execute(tx)
  const isWhole = rows[0]?.isWhole ?? null
  return isWhole === null ? undefined : { isWhole }
}

/** Replaces the sums of a day. Writes changed rows only. */
export async function storeDays(tx: SystemTx, place: MarkedDay, days: readonly FoldedDay[]): Promise<void> {
  const { organizationId, day } = place
  await sql`
    delete from feedback_days
    where organization_id = ${organizationId} and day = ${day}::date
      and scope_id <> all (${days.map((each) => each.scopeId)}::uuid[])
  `.execute(tx)
  if (days.length === 0) return
  const rows = days.map((each) => ({
    scope_id: each.scopeId,
    items: each.items,
    types: each.types,
    sources: each.sources,
    statuses: each.statuses,
    ratings: each.ratings,
    nps: each.nps,
    first_view: withoutTail(each.firstView),
    first_response: withoutTail(each.firstResponse),
    resolution: withoutTail(each.resolution),
    inbox_unread: each.inboxUnread,
    inbox_new: each.inboxNew,
    inbox_priorities: each.inboxPriorities,
    inbox_assignees: each.inboxAssignees,
  }))
  await sql`
    insert into feedback_days as d (organization_id, scope_id, day, items, types, sources, statuses, ratings, nps,
      first_view, first_response, resolution, inbox_unread, inbox_new, inbox_priorities, inbox_assignees)
    select ${organizationId}::uuid, r.scope_id, ${day}::date, r.items, r.types, r.sources, r.statuses, r.ratings, r.nps,
      r.first_view, r.first_response, r.resolution, r.inbox_unread, r.inbox_new, r.inbox_priorities, r.inbox_assignees
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      scope_id uuid, items integer, types jsonb, sources jsonb, statuses jsonb, ratings integer[], nps integer[],
      first_view integer[], first_response integer[], resolution integer[], inbox_unread integer, inbox_new integer,
      inbox_priorities jsonb, inbox_assignees jsonb)
    on conflict (organization_id, scope_id, day) do update
    set items = excluded.items, types = excluded.types, sources = excluded.sources, statuses = excluded.statuses,
        ratings = excluded.ratings, nps = excluded.nps, first_view = excluded.first_view,
        first_response = excluded.first_response, resolution = excluded.resolution,
        inbox_unread = excluded.inbox_unread, inbox_new = excluded.inbox_new,
        inbox_priorities = excluded.inbox_priorities, inbox_assignees = excluded.inbox_assignees
    where d.* is distinct from excluded.*
  `.execute(tx)
}

/** The same for pages, browsers and countries. */
export async function storeValues(tx: SystemTx, place: MarkedDay, values: readonly FoldedValue[]): Promise<void> {
  const { organizationId, day } = place
  const rows = sql`json_to_recordset(${JSON.stringify(values)}::json)
    as r ("scopeId" uuid, dimension text, value text, n integer)`
  await sql`
    delete from feedback_day_values v
    where v.organization_id = ${organizationId} and v.day = ${day}::date
      and not exists (
        select from ${rows} where r."scopeId" = v.scope_id and r.dimension = v.dimension and r.value = v.value)
  `.execute(tx)
  await sql`
    insert into feedback_day_values as v (organization_id, scope_id, dimension, day, value, n)
    select ${organizationId}::uuid, r."scopeId", r.dimension, ${day}::date, r.value, r.n
    from ${rows}
    on conflict (organization_id, scope_id, dimension, day, value) do update set n = excluded.n where v.n <> excluded.n
  `.execute(tx)
}

// Few durations reach the last ranges, so trailing zeros are not stored.
function withoutTail(counts: readonly number[]): number[] {
  return counts.slice(0, counts.findLastIndex((n) => n > 0) + 1)
}
