import { sql } from 'kysely'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** A position among events: of transactions in the order in which they began, of each by id. */
export interface EventPosition {
  /** Number of a transaction, as text: it has 64 bits. */
  readonly transaction: string
  readonly id: string
}

export interface KeyEventRow extends RowAs<'app.events', { id: 'id'; name: 'name'; occurredAt: 'occurred_at' }> {
  readonly feedbackIds: string[]
  readonly transaction: string
}

/** The oldest transaction that may still write: events of older ones are all there. */
export async function readHorizon(tx: TenantTx): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`.execute(tx)
  return rows[0]?.horizon ?? '0'
}

/**
 * Events of the key's project after a position and before the horizon, with those of their items that exist.
 *
 * @param fromId no older id is looked at.
 */
export async function listKeyEvents(
  tx: TenantTx,
  { after, horizon, fromId, limit }: { after: EventPosition; horizon: string; fromId: string; limit: number },
): Promise<KeyEventRow[]> {
  const { rows } = await sql<KeyEventRow>`
    select id, name, feedback_ids as "feedbackIds", occurred_at as "occurredAt", transaction_id as transaction
    from app.list_key_events(${after.transaction}, ${after.id}, ${horizon}, ${fromId}, ${limit})
  `.execute(tx)
  return rows
}
