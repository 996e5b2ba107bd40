import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/** Queues an unsent email again, now. @returns the recipient; undefined: it was sent, or has no body. */
export async function retryEmail(tx: SystemTx, id: string): Promise<string | undefined> {
  const email = await tx
    .selectFrom('app.emails')
    .select('to_address')
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('html', '<>', '')
    .forUpdate()
    .executeTakeFirst()
  if (email) await sql`select app.retry_emails(array[${id}]::uuid[])`.execute(tx)
  return email?.to_address
}

/** Queues the oldest emails again that failed in the last 14 days. @returns how many. */
export async function retryFailed(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from app.emails
    where failed_at > now() - interval '14 days' and sent_at is null and suppressed_at is null and html <> ''
    order by created_at limit ${limit} for update skip locked
  `.execute(tx)
  await sql`select app.retry_emails(${rows.map(({ id }) => id)}::uuid[])`.execute(tx)
  return rows.length
}
