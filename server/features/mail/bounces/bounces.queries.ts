import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/**
 * Marks a sent email as bounced: the one with the id or, where it is unknown, the latest to the address within a week.
 * Marked again, it keeps its time and reason.
 */
export async function markBounced(
  tx: SystemTx,
  { id, email, reason }: { id: string | null; email: string; reason: string },
): Promise<void> {
  await sql`
    update app.emails set bounced_at = now(), last_error = ${reason}
    where bounced_at is null and id = (
      select e.id from app.emails e
      where lower(e.to_address) = ${email.toLowerCase()} and e.sent_at is not null
        and ${id === null ? sql`e.sent_at > now() - interval '7 days'` : sql`e.id = ${id}::uuid`}
      order by e.sent_at desc limit 1)
  `.execute(tx)
}
