import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

const sweepSize = 2_000

/** Keeps the list of visitors in step with new items. Items without a visitor, and those that are gone, add nothing. */
export async function noteVisitors(
  tx: SystemTx,
  items: readonly { organizationId: string; id: string }[],
): Promise<void> {
  await sql`
    insert into visitors as v
      (organization_id, key, visitor_id, email, name, is_verified, first_seen_at, last_seen_at)
    select f.organization_id, coalesce(f.visitor_id, lower(f.visitor_email)) as key, max(f.visitor_id),
      (array_agg(f.visitor_email order by f.created_at desc) filter (where f.visitor_email is not null))[1],
      (array_agg(f.visitor_name order by f.created_at desc) filter (where f.visitor_name is not null))[1],
      bool_or(f.visitor_verified), min(f.created_at), max(f.created_at)
    from json_to_recordset(${JSON.stringify(items)}::json) as i ("organizationId" uuid, id uuid)
    join feedback f on f.organization_id = i."organizationId" and f.id = i.id
    where coalesce(f.visitor_id, f.visitor_email) is not null
    group by f.organization_id, key
    -- One order for all processes, so that none waits for another in a circle.
    order by f.organization_id, key
    on conflict (organization_id, key) do update set
      visitor_id = coalesce(excluded.visitor_id, v.visitor_id),
      email = case when excluded.last_seen_at >= v.last_seen_at
        then coalesce(excluded.email, v.email) else coalesce(v.email, excluded.email) end,
      name = case when excluded.last_seen_at >= v.last_seen_at
        then coalesce(excluded.name, v.name) else coalesce(v.name, excluded.name) end,
      is_verified = v.is_verified or excluded.is_verified,
      first_seen_at = least(v.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(v.last_seen_at, excluded.last_seen_at)
  `.execute(tx)
}

type VisitorName = Readonly<RowAs<'visitors', { organizationId: 'organization_id'; key: 'key' }>>

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

/** Removes those of the visitors that have no items. */
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
  `.execute(tx)
}
