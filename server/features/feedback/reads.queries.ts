import { sql } from 'kysely'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'
import { isUnread } from './selection.queries.ts'

/**
 * Marks items as read or unread for the caller alone. Someone who is no member marks nothing.
 *
 * @param operationId a bulk operation, which {@link restoreReads} undoes.
 * @returns the ids of items that were not so already.
 */
export async function markRead(
  tx: TenantTx,
  organizationId: string,
  ids: readonly string[],
  isRead: boolean,
  operationId?: string,
): Promise<string[]> {
  const [seen, former] = isRead ? [wroteAt, never] : [never, wroteAt]
  const { rows } = await sql<Row<'feedback_reads', 'feedback_id'>>`
    insert into feedback_reads (organization_id, feedback_id, user_id, seen_at, operation_id, former_seen_at)
    select f.organization_id, f.id, m.user_id, ${seen}, ${operationId ?? null}::uuid, ${former}
    from memberships m
    join feedback f on f.organization_id = m.organization_id and f.id = any (${[...ids]}::uuid[])
    where m.organization_id = ${organizationId} and m.user_id = auth.uid() and ${isUnread} = ${isRead}
    order by f.id
    on conflict (organization_id, feedback_id, user_id) do update
    set seen_at = excluded.seen_at, operation_id = excluded.operation_id, former_seen_at = excluded.former_seen_at
    returning feedback_id
  `.execute(tx)
  return rows.map((row) => row.feedback_id)
}

/** What a member sees by opening an item: its visitor's latest words. */
const wroteAt = sql`coalesce(f.visitor_wrote_at, f.created_at)`
const never = sql`timestamptz '-infinity'`

/**
 * Undoes {@link markRead} of a bulk operation for items that the caller has not opened or marked since.
 *
 * @returns their ids.
 */
export async function restoreReads(
  tx: TenantTx,
  organizationId: string,
  ids: readonly string[],
  operationId: string,
): Promise<string[]> {
  const { rows } = await sql<Row<'feedback_reads', 'feedback_id'>>`
    update feedback_reads r set seen_at = r.former_seen_at, operation_id = null, former_seen_at = null
    where r.organization_id = ${organizationId} and r.user_id = auth.uid() and r.feedback_id = any (${[...ids]}::uuid[])
      and r.operation_id = ${operationId}
    returning r.feedback_id
  `.execute(tx)
  return rows.map((row) => row.feedback_id)
}

/** Which of the items are unread for whom, by user id. One query for all users. */
export async function listUnreadBy(
  tx: SystemTx,
  organizationId: string,
  ids: readonly string[],
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<Row<'memberships', 'user_id'> & { ids: string[] }>`
    select m.user_id, array_agg(f.id order by f.id) as ids
    from memberships m
    join feedback f on f.organization_id = m.organization_id and f.id = any (${[...ids]}::uuid[])
    left join feedback_reads r
      on r.organization_id = f.organization_id and r.feedback_id = f.id and r.user_id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = any (${[...userIds]}::uuid[])
      and ${wroteAt} > coalesce(r.seen_at, m.feedback_read_until)
    group by m.user_id
  `.execute(tx)
  return new Map(rows.map((row) => [row.user_id, row.ids]))
}

/** Above this many rows of read items, a member's rows are compacted. */
const maxReadRows = 1000
/** So many items stay unread when a member's rows are compacted: the newest. */
const maxUnread = 10_000

/** Compacts what busy members have read. */
export async function compactReads(database: Database): Promise<void> {
  await database.asSystem('members of every organisation read', async (tx) => {
    await sql`select app.compact_feedback_reads(${maxReadRows}, ${maxUnread})`.execute(tx)
  })
}
