import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/** Has the subscription at Stripe follow the organisation soon. Several requests before it begins are one. */
export async function requestFollowing(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`
    select app.enqueue_job('follow_closing', ${JSON.stringify({ organizationId })}, ${`follow_closing:${organizationId}`})
    from stripe_customers where organization_id = ${organizationId}
  `.execute(tx)
}

/** When everything in the organisation is deleted; null: it is open. Undefined: it is gone. */
export async function findDeleteAfter(tx: SystemTx, organizationId: string): Promise<Date | null | undefined> {
  const { rows } = await sql<{ deleteAfter: Date | null }>`
    select delete_after as "deleteAfter" from organizations where id = ${organizationId}
  `.execute(tx)
  return rows[0]?.deleteAfter
}
