import { type RawBuilder, sql } from 'kysely'
import { visitorCountLimit } from '#contract/visitors.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** A visitor of any organisation. */
export type VisitorName = Readonly<RowAs<'visitors', { organizationId: 'organization_id'; key: 'key' }>>

/** Marks taken in one transaction, and the most visitors that are then counted. */
const takenMarks = 1_000
const takenVisitors = 200

/** After this time, visitors that get many items are counted. */
const pauseSeconds = 5

/** Visitors counted by one statement: with the most items that are read, below the limit of its time even from a slow disk. */
const countedAtOnce = 50

/**
 * Counts the items of visitors, and of those that they are part of. Idempotent. Of each key the newest
 * `visitorCountLimit` items are read, so that one visitor with very many costs no more.
 */
export async function refreshSums(tx: SystemTx, visitors: readonly VisitorName[]): Promise<void> {
  if (visitors.length === 0) return
  // Locked by a statement of its own: the next one sees what was committed until then, so the last to count is right. In
  // one order for all processes, so that none waits for another in a circle.
  await sql`
    select from visitors v
    where (v.organization_id, v.key) in (${listCounted(visitors)})
    order by v.organization_id, v.key for update
  `.execute(tx)
  for (let from = 0; from < visitors.length; from += countedAtOnce) {
    await countItems(tx, visitors.slice(from, from + countedAtOnce))
  }
}

/** The visitors, and those of whom they are a part. */
function listCounted(visitors: readonly VisitorName[]): RawBuilder<unknown> {
  const named = JSON.stringify(visitors.map(({ organizationId, key }) => ({ organizationId, key })))
  return sql`
    select i."organizationId" as organization_id, i.key
    from json_to_recordset(${named}::json) as i ("organizationId" uuid, key text)
    union
    select j.organization_id, j.root_key
    from json_to_recordset(${named}::json) as i ("organizationId" uuid, key text)
    join visitor_joins j on j.organization_id = i."organizationId" and j.part_key = i.key and j.separated_at is null`
}

async function countItems(tx: SystemTx, visitors: readonly VisitorName[]): Promise<void> {
  await sql`
    update visitors v
    set items = s.items, open_items = s.open_items, unanswered_items = s.unanswered_items, last_rating = s.last_rating
    from (${listCounted(visitors)}) as l
    cross join lateral (
      select least(count(*), ${visitorCountLimit})::int as items,
        least(count(*) filter (where f.is_open), ${visitorCountLimit})::int as open_items,
        least(count(*) filter (where f.is_open and f.is_unanswered), ${visitorCountLimit})::int as unanswered_items,
        (array_agg(f.rating order by f.created_at desc) filter (where f.rating is not null))[1] as last_rating
      from (
        select l.key
        union all
        select j.part_key from visitor_joins j
        where j.organization_id = l.organization_id and j.root_key = l.key and j.separated_at is null
      ) as k (key)
      cross join lateral (
        select o.created_at, o.rating, o.location = 'inbox' and o.status in ('new', 'open', 'in_progress') as is_open,
          o.last_reply_by = 'visitor' or o.last_reply_by is null and coalesce(o.visitor_email, '') <> '' as is_unanswered
        from (
          (select f.created_at, f.rating, f.location, f.status, f.last_reply_by, f.visitor_email from feedback f
           where f.organization_id = l.organization_id and f.visitor_id = k.key
           order by f.created_at desc limit ${visitorCountLimit})
          union all
          (select f.created_at, f.rating, f.location, f.status, f.last_reply_by, f.visitor_email from feedback f
           where f.organization_id = l.organization_id and lower(f.visitor_email) = k.key and f.visitor_id is null
           order by f.created_at desc limit ${visitorCountLimit})
        ) as o
      ) as f
    ) as s
    where v.organization_id = l.organization_id and v.key = l.key
      and (v.items, v.open_items, v.unanswered_items, v.last_rating)
        is distinct from (s.items, s.open_items, s.unanswered_items, s.last_rating)
  `.execute(tx)
}

/** Marks visitors to be counted in some seconds, each once however often they are marked until then. */
export async function countSoon(tx: SystemTx, visitors: readonly VisitorName[]): Promise<void> {
  if (visitors.length === 0) return
  await sql`
    insert into app.visitor_marks (organization_id, key)
    select i."organizationId", i.key
    from json_to_recordset(${JSON.stringify(visitors)}::json) as i ("organizationId" uuid, key text)
  `.execute(tx)
  await sql`
    select app.enqueue_job('count_marked_visitors', '{}', 'count_marked_visitors', now() + make_interval(secs => ${pauseSeconds}))
  `.execute(tx)
}

/** Takes the oldest marks. @returns their visitors, each once; empty when there are none left. */
export async function takeMarks(tx: SystemTx): Promise<VisitorName[]> {
  const { rows } = await sql<VisitorName>`
    with oldest as (
      select organization_id, id, key from app.visitor_marks order by id limit ${takenMarks} for update skip locked
    ),
    chosen as (
      select distinct organization_id, key from oldest limit ${takenVisitors}
    ),
    taken as (
      delete from app.visitor_marks m using oldest o
      where m.organization_id = o.organization_id and m.id = o.id
        and (o.organization_id, o.key) in (select c.organization_id, c.key from chosen c)
    )
    select organization_id as "organizationId", key from chosen
  `.execute(tx)
  return rows
}
