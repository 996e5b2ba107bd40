import { sql } from 'kysely'
import type { SystemTx, TenantTx } from './database.ts'

/**
 * Ends the transaction without waiting for the disk (PostgreSQL's `synchronous_commit`): for what outlives the moment
 * only by chance, or is done again when it is lost.
 */
export async function skipFlush(tx: SystemTx | TenantTx): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(tx)
}
