import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

/** Restarts an email change: both addresses must confirm again. */
export async function startEmailChange(tx: AuthTx, userId: string, newEmail: string): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({ email_change: newEmail, email_change_confirm_status: 0, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()
}
