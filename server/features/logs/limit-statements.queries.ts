import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import { hasErrorCode } from '#server/platform/read-error.ts'

/** From here to the end of the transaction, a statement that takes longer fails with SQLSTATE 57014. */
export async function limitStatements(tx: SystemTx, ms: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx)
}

export function tookTooLong(error: unknown): boolean {
  return hasErrorCode(error, '57014')
}
