import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

/** Whether the account with this address has signed in with the device. */
export async function isKnownDevice(tx: AuthTx, email: string, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql<{
    is_known: boolean
  }>`select app.is_known_device(${email}, ${tokenHash}) as is_known`.execute(tx)
  return rows[0]?.is_known ?? false
}

export async function rememberDevice(tx: AuthTx, userId: string, tokenHash: Buffer): Promise<void> {
  await sql`select app.remember_device(${userId}, ${tokenHash})`.execute(tx)
}
