import { type RawBuilder, sql } from 'kysely'
import type { BulkChange } from '#contract/bulk.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Outer, Row } from '#server/platform/database/row.ts'
import { type Assignment, setColumns, toAssignments, wouldChange } from '../assignments.queries.ts'
import { markRead, restoreReads } from '../reads.queries.ts'

/** A bulk change and the items of one of its steps. */
export interface Batch {
  readonly organizationId: string
  readonly operationId: string
  readonly itemIds: readonly string[]
}

const maxTags = 20

/**
 * Locks the items until the transaction ends. Every writer locks in the order of ids, so that two writers of the same
 * items wait in turn and never deadlock.
 */
async function lockItems(tx: TenantTx, { organizationId, itemIds }: Batch): Promise<void> {
  await sql`
    select from feedback f
    where f.organization_id = ${organizationId} and f.id = any (${[...itemIds]}::uuid[])
    order by f.id
    for no key update
  `.execute(tx)
}

/**
 * Changes the items that differ from the change. Their history names the bulk change.
 *
 * @returns the ids of the changed items.
 */
export async function changeItems(tx: TenantTx, batch: Batch, change: BulkChange): Promise<string[]> {
  const assignments = toBulkAssignments(batch, change)
  await lockItems(tx, batch)
  const changedIds = assignments.length === 0 ? [] : await assign(tx, batch, assignments)
  if (change.viewed === undefined) return changedIds
  const readIds = await markRead(tx, batch.organizationId, batch.itemIds, change.viewed, batch.operationId)
  return [...new Set([...changedIds, ...readIds])]
}

async function assign(tx: TenantTx, batch: Batch, assignments: readonly Assignment[]): Promise<string[]> {
  const { rows } = await sql<Row<'feedback', 'id'>>`
    with named as materialized (select set_config('app.operation_id', ${batch.operationId}, true))
    update feedback f
    set ${setColumns(assignments)}
    from named
    where f.organization_id = ${batch.organizationId} and f.id = any (${[...batch.itemIds]}::uuid[])
      and ${wouldChange(assignments)}
    returning f.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

function toBulkAssignments(batch: Batch, change: BulkChange): Assignment[] {
  // Undo finds the items that this change marked as read by this exact time.
  const assignments = toAssignments(change, sql`greatest(f.created_at, ${startOf(batch)})`)
  const { addTags = [], removeTags = [] } = change
  if (addTags.length > 0 || removeTags.length > 0) {
    const tags = sql`app.change_tags(f.tags, ${[...addTags]}::text[], ${[...removeTags]}::text[])`
    // An item that would exceed the tag limit keeps its tags.
    assignments.push({
      column: 'tags',
      value: sql`case when cardinality(${tags}) <= ${maxTags} then ${tags} else f.tags end`,
    })
  }
  return assignments
}

function startOf({ organizationId, operationId }: Batch): RawBuilder<unknown> {
  return sql`(
    select o.created_at from feedback_operations o
    where o.organization_id = ${organizationId} and o.id = ${operationId})`
}

/**
 * Restores items to their history's values from before the change, except items that were changed since.
 *
 * @returns the ids of the restored items, and how many were skipped.
 */
export async function restoreItems(
  tx: TenantTx,
  batch: Batch,
  change: BulkChange,
): Promise<{ restoredIds: string[]; kept: number }> {
  const { organizationId, operationId, itemIds } = batch
  await lockItems(tx, batch)
  const unmarkedIds = change.viewed === undefined ? [] : await restoreReads(tx, organizationId, itemIds, operationId)
  const { rows } = await sql<{ restored_ids: string[]; kept: number }>`
    with named as materialized (select set_config('app.undone_operation_id', ${operationId}, true)),
    event as materialized (
      select e.feedback_id, max(e.version) as version, jsonb_object_agg(e.field, e.from_value) as was
      from feedback_events e
      where e.organization_id = ${organizationId} and e.operation_id = ${operationId}
        and e.feedback_id = any (${[...itemIds]}::uuid[])
      group by e.feedback_id
    ),
    item as materialized (
      select f.id, coalesce(e.was, '{}') as was, s.was_unread,
        coalesce(f.version = e.version, f.updated_at <= ${startOf(batch)}) as is_untouched
      from named
      cross join feedback f
      cross join lateral (
        select ${change.viewed === true} and f.first_viewed_at = greatest(f.created_at, ${startOf(batch)}) as was_unread
      ) s
      left join event e on e.feedback_id = f.id
      where f.organization_id = ${organizationId} and f.id = any (${[...itemIds]}::uuid[])
        and (e.feedback_id is not null or s.was_unread)
    ),
    restored as (
      update feedback f
      set status = case when i.was ? 'status' then i.was ->> 'status' else f.status end,
          closed_reason = case when i.was ? 'closed_reason' then i.was ->> 'closed_reason' else f.closed_reason end,
          priority = case when i.was ? 'priority' then i.was ->> 'priority' else f.priority end,
          spam_reason = case when i.was ? 'spam' then i.was ->> 'spam' else f.spam_reason end,
          -- Former members are not assigned again.
          assignee_user_id = case when i.was ? 'assignee' then (
            select m.user_id from memberships m
            where m.organization_id = f.organization_id and m.user_id = (i.was ->> 'assignee')::uuid
          ) else f.assignee_user_id end,
          tags = case when i.was ? 'tags' then array(
            select t.tag from jsonb_array_elements_text(coalesce(i.was ->> 'tags', '[]')::jsonb) with ordinality as t (tag, place)
            order by t.place
          ) else f.tags end,
          archived_at = case when i.was ? 'archived' then (i.was ->> 'archived')::timestamptz else f.archived_at end,
          snoozed_until = case when i.was ? 'snoozed' then (i.was ->> 'snoozed')::timestamptz else f.snoozed_until end,
          deleted_at = case when i.was ? 'deleted' then (i.was ->> 'deleted')::timestamptz else f.deleted_at end,
          first_viewed_at = case when i.was_unread then null else f.first_viewed_at end
      from item i
      where f.organization_id = ${organizationId} and f.id = i.id and i.is_untouched
      returning f.id
    )
    select array(select r.id from restored r) as restored_ids,
      (select count(*) from item i where not i.is_untouched)::integer as kept
  `.execute(tx)
  const restoredIds = [...new Set([...(rows[0]?.restored_ids ?? []), ...unmarkedIds])]
  return { restoredIds, kept: rows[0]?.kept ?? 0 }
}

/** How many items a change assigned to this member, and one of them; undefined for none. */
export async function countAssigned(
  tx: TenantTx,
  { organizationId, operationId, assigneeId }: { organizationId: string; operationId: string; assigneeId: string },
): Promise<{ feedbackId: string; itemCount: number } | undefined> {
  const { rows } = await sql<Outer<Row<'feedback_events', 'feedback_id'>> & { count: number }>`
    select (array_agg(e.feedback_id order by e.id))[1] as feedback_id, count(*)::integer as count
    from feedback_events e
    where e.organization_id = ${organizationId} and e.operation_id = ${operationId}
      and e.field = 'assignee' and e.to_value = ${assigneeId}
  `.execute(tx)
  const row = rows[0]
  return row?.feedback_id ? { feedbackId: row.feedback_id, itemCount: row.count } : undefined
}
