import { sql } from 'kysely'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { countSoon, refreshSums, takeMarks, type VisitorName } from './visitor-sums.queries.ts'

const sweepSize = 2_000
/** Visitors with so many items are counted once in some seconds, because each time all of them are read. */
const manyItems = 200

/** Keeps the list of visitors in step with new items. Items without a visitor, and those that are gone, add nothing. */
export async function noteVisitors(
  tx: SystemTx,
  items: readonly { organizationId: string; id: string }[],
): Promise<void> {
  const { rows } = await sql<VisitorName & { itemsBefore: number }>`
    insert into visitors as v
      (organization_id, key, visitor_id, email, name, is_verified, first_seen_at, last_seen_at)
    select f.organization_id, n.key, max(n.visitor_id),
      (array_agg(n.email order by f.created_at desc) filter (where n.email is not null))[1],
      (array_agg(n.name order by f.created_at desc) filter (where n.name is not null))[1],
      bool_or(f.visitor_verified), min(f.created_at), max(f.created_at)
    from json_to_recordset(${JSON.stringify(items)}::json) as i ("organizationId" uuid, id uuid)
    join feedback f on f.organization_id = i."organizationId" and f.id = i.id
    cross join lateral (
      select coalesce(f.visitor_id, lower(f.visitor_email)), f.visitor_id, f.visitor_email, f.visitor_name
      union all
      -- The visitor of whom this one is a part is listed by the times of all.
      select j.root_key, null, null, null from visitor_joins j
      where j.organization_id = f.organization_id and j.part_key = coalesce(f.visitor_id, lower(f.visitor_email))
        and j.separated_at is null
    ) as n (key, visitor_id, email, name)
    where coalesce(f.visitor_id, f.visitor_email) is not null
    group by f.organization_id, n.key
    -- One order for all processes, so that none waits for another in a circle.
    order by f.organization_id, n.key
    on conflict (organization_id, key) do update set
      visitor_id = coalesce(excluded.visitor_id, v.visitor_id),
      email = case when excluded.last_seen_at >= v.last_seen_at
        then coalesce(excluded.email, v.email) else coalesce(v.email, excluded.email) end,
      name = case when excluded.last_seen_at >= v.last_seen_at
        then coalesce(excluded.name, v.name) else coalesce(v.name, excluded.name) end,
      is_verified = v.is_verified or excluded.is_verified,
      first_seen_at = least(v.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(v.last_seen_at, excluded.last_seen_at)
    returning v.organization_id as "organizationId", v.key, v.items as "itemsBefore"
  `.execute(tx)
  await refreshSums(
    tx,
    rows.filter(({ itemsBefore }) => itemsBefore < manyItems),
  )
  await countSoon(
    tx,
    rows.filter(({ itemsBefore }) => itemsBefore >= manyItems),
  )
}

/** Counts all visitors whose items changed or were deleted, a few hundred at a time. */
export async function countMarkedVisitors(database: Database): Promise<void> {
  while (await database.asSystem('marked visitors of every organisation', countNextVisitors)) {
    // Until no mark is left.
  }
}

/** Also removes those that have no items left. @returns whether there were any. */
async function countNextVisitors(tx: SystemTx): Promise<boolean> {
  const visitors = await takeMarks(tx)
  if (visitors.length === 0) return false
  await refreshSums(tx, visitors)
  await removeVisitorsWithoutItems(tx, visitors)
  return true
}

/**
 * Removes, among the next visitors in order, those without items.
 *
 * @returns the last that was looked at; undefined when there are no more.
 */
export async function sweepVisitors(tx: SystemTx, after: VisitorName | undefined): Promise<VisitorName | undefined> {
  const { rows } = await sql<VisitorName>`
    select organization_id as "organizationId", key from visitors
    ${after ? sql`where (organization_id, key) > (${after.organizationId}, ${after.key})` : sql``}
    order by organization_id, key limit ${sweepSize}
  `.execute(tx)
  await removeVisitorsWithoutItems(tx, rows)
  return rows.length < sweepSize ? undefined : rows.at(-1)
}

/** Removes those of the visitors that have no items, and no parts with items; with the last of a person, their joins. */
export async function removeVisitorsWithoutItems(tx: SystemTx, visitors: readonly VisitorName[]): Promise<void> {
  await sql`
    delete from visitors v
    using json_to_recordset(${JSON.stringify(visitors)}::json) as i ("organizationId" uuid, key text)
    where v.organization_id = i."organizationId" and v.key = i.key
      and not exists (
        select from feedback f where f.organization_id = v.organization_id and f.visitor_id = v.key)
      and not exists (
        select from feedback f
        where f.organization_id = v.organization_id and lower(f.visitor_email) = v.key and f.visitor_id is null)
      and not exists (
        select from visitor_joins j
        join visitors p on p.organization_id = j.organization_id and p.key = j.part_key
        where j.organization_id = v.organization_id and j.root_key = v.key and j.separated_at is null)
  `.execute(tx)
  await sql`
    delete from visitor_joins j
    using json_to_recordset(${JSON.stringify(visitors)}::json) as i ("organizationId" uuid, key text)
    where j.organization_id = i."organizationId" and j.root_key = i.key
      and not exists (select from visitors v where v.organization_id = j.organization_id and v.key = j.root_key)
  `.execute(tx)
}
