import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

export async function savePassword(tx: AuthTx, userId: string, passwordHash: string): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({ encrypted_password: passwordHash, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()
}

export async function saveUserMetadata(
  tx: AuthTx,
  userId: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({ raw_user_meta_data: JSON.stringify(metadata), updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()
}
