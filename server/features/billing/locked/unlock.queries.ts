import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/** Unlocks items that the plan allows to read. @returns how many, at most `limit`. */
export async function unlockFeedback(tx: SystemTx, organizationId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select app.unlock_feedback(${organizationId}, ${limit}) as count
  `.execute(tx)
  return rows[0]?.count ?? 0
}
