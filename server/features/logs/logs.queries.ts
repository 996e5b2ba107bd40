import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

type WriterRow = Row<'app.log_writers', 'process'> &
  RowAs<'app.log_writers', { seenAt: 'seen_at' }> & { readonly dropped: number }

/** Processes that store lines, or have stored some that are still there. */
export async function listWriters(tx: SystemTx): Promise<WriterRow[]> {
  const { rows } = await sql<WriterRow>`
    select process, seen_at as "seenAt", dropped from app.log_writers order by seen_at desc, process limit 50
  `.execute(tx)
  return rows
}
