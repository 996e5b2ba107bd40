import { type RawBuilder, sql } from 'kysely'
import type { BulkChange, BulkOperation } from '#contract/bulk.ts'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row } from '#server/platform/database/row.ts'

interface OperationRow
  extends Row<
    'feedback_operations',
    'id' | 'state' | 'processed' | 'changed' | 'undo_processed' | 'kept' | 'created_at'
  > {
  total: number
  change: Refined<'feedback_operations', 'change', BulkChange>
}

const operationColumns = sql`
  o.id, o.change, o.state, cardinality(o.item_ids) as total, o.processed, o.changed, o.undo_processed, o.kept,
  o.created_at
`

/** SHA-256 of a request in PostgreSQL's own spelling of JSON: the order of keys makes no difference. */
function hashOf(request: unknown): RawBuilder<unknown> {
  return sql`sha256(convert_to(${JSON.stringify(request)}::jsonb::text, 'UTF8'))`
}

/**
 * Stores the requested change and fixes the set of its items.
 *
 * @param itemIds a query of the items' ids.
 * @returns false when the id is taken: nothing was written.
 */
export async function insertOperation(
  tx: TenantTx,
  operation: {
    organizationId: string
    id: string
    actorUserId: string
    request: unknown
    change: BulkChange
    itemIds: RawBuilder<unknown>
  },
): Promise<boolean> {
  const { organizationId, id, actorUserId, request, change, itemIds } = operation
  const { rows } = await sql`
    insert into feedback_operations (organization_id, id, actor_user_id, request_hash, change, item_ids)
    values (${organizationId}, ${id}, ${actorUserId}, ${hashOf(request)}, ${JSON.stringify(change)},
      array(select i.id from (${itemIds}) as i (id) order by i.id))
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** The caller's own change with this id. `isSame`: whether its request was the same. */
export async function findOperation(
  tx: TenantTx,
  organizationId: string,
  id: string,
  request?: unknown,
): Promise<{ operation: BulkOperation; isSame: boolean } | undefined> {
  const isSame = request === undefined ? sql`true` : sql`o.request_hash = ${hashOf(request)}`
  const { rows } = await sql<OperationRow & { is_same: boolean }>`
    select ${operationColumns}, ${isSame} as is_same
    from feedback_operations o
    where o.organization_id = ${organizationId} and o.id = ${id}
  `.execute(tx)
  const row = rows[0]
  return row && { operation: toOperation(row), isSame: row.is_same }
}

/** The state of a change, and its next items. */
export interface Step {
  readonly state: BulkOperation['state']
  readonly change: BulkChange
  /** In the order in which every writer locks items. */
  readonly itemIds: readonly string[]
  /** Whether these are the last. */
  readonly isLast: boolean
}

/** Locks the change until the transaction ends, and reads its next step. */
export async function lockOperation(
  tx: TenantTx,
  organizationId: string,
  id: string,
  limit: number,
): Promise<Step | undefined> {
  const { rows } = await sql<
    Row<'feedback_operations', 'state' | 'item_ids'> & {
      change: Refined<'feedback_operations', 'change', BulkChange>
      is_last: boolean
    }
  >`
    select o.state, o.change,
      case o.state
        when 'running' then o.item_ids[o.processed + 1:o.processed + ${limit}::integer]
        when 'undoing' then o.item_ids[o.undo_processed + 1:least(o.undo_processed + ${limit}::integer, o.processed)]
        else '{}'
      end as item_ids,
      case o.state
        when 'running' then o.processed + ${limit}::integer >= cardinality(o.item_ids)
        else o.undo_processed + ${limit}::integer >= o.processed
      end as is_last
    from feedback_operations o
    where o.organization_id = ${organizationId} and o.id = ${id}
    for no key update
  `.execute(tx)
  const row = rows[0]
  return row && { state: row.state, change: row.change, itemIds: row.item_ids, isLast: row.is_last }
}

/** Stores the progress, in the transaction that changed the items. */
export async function recordStep(
  tx: TenantTx,
  organizationId: string,
  id: string,
  step: { state: BulkOperation['state']; processed: number; changed: number; undoProcessed: number; kept: number },
): Promise<void> {
  await sql`
    update feedback_operations
    set state = ${step.state}, processed = processed + ${step.processed}, changed = changed + ${step.changed},
        undo_processed = undo_processed + ${step.undoProcessed}, kept = kept + ${step.kept}
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/** Starts the undo of a change. False: the change is being undone, is undone, or does not exist. */
export async function beginUndo(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    update feedback_operations set state = 'undoing'
    where organization_id = ${organizationId} and id = ${id} and state in ('running', 'done', 'failed')
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** Stops a change whose author lost access. */
export async function failOperation(tx: SystemTx, organizationId: string, id: string): Promise<void> {
  await sql`
    update feedback_operations set state = 'failed'
    where organization_id = ${organizationId} and id = ${id} and state in ('running', 'undoing')
  `.execute(tx)
}

export async function enqueueOperation(
  tx: TenantTx,
  { organizationId, operationId }: { organizationId: string; operationId: string },
): Promise<void> {
  await sql`select app.enqueue_own_job('change_feedback', ${organizationId}, ${operationId})`.execute(tx)
}

/** Deletes changes that are too old to undo, up to a limit. */
export async function deleteOldOperations(database: Database, limit: number): Promise<number> {
  return database.asSystem('what is old is old in every organisation', async (tx) => {
    const { rows } = await sql`
      delete from feedback_operations o
      where (o.organization_id, o.id) in (
        select d.organization_id, d.id from feedback_operations d
        where d.created_at < now() - interval '30 days' order by d.created_at limit ${limit})
      returning o.id
    `.execute(tx)
    return rows.length
  })
}

function toOperation(row: OperationRow): BulkOperation {
  const isUndo = row.state === 'undoing' || row.state === 'undone'
  return {
    id: row.id,
    change: row.change,
    state: row.state,
    total: isUndo ? row.processed : row.total,
    processed: isUndo ? row.undo_processed : row.processed,
    changed: row.changed,
    kept: row.kept,
    createdAt: row.created_at.toISOString(),
  }
}
