import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/** Has the subscription at Stripe follow the organisation soon. Several requests before it begins are one. */
export async function requestFollowing(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`
    select app.enqueue_job('follow_closing', ${JSON.stringify({ organizationId })}, ${`follow_closing:${organizationId}`})
    from stripe_customers where organization_id = ${organizationId}
  `.execute(tx)
}

/**
 * The same where the organisation is closed and something at Stripe would still be charged: a checkout that was paid after all,
 * a payment that was confirmed late, a plan that was renewed in Stripe's portal.
 */
export async function requestFollowingOfClosed(tx: SystemTx, organizationId: string): Promise<void> {
  const { rows } = await sql`
    select from organizations o
    join subscriptions s on s.organization_id = o.id and s.status not in ('canceled', 'incomplete_expired')
    where o.id = ${organizationId} and o.closed_at is not null
      and (s.status not in ('active', 'trialing') or s.cancel_at is null or s.cancel_at > o.delete_after)
    limit 1
  `.execute(tx)
  if (rows.length > 0) await requestFollowing(tx, organizationId)
}

/** When everything in the organisation is deleted; null: it is open. Undefined: it is gone. */
export async function findDeleteAfter(tx: SystemTx, organizationId: string): Promise<Date | null | undefined> {
  const { rows } = await sql<{ deleteAfter: Date | null }>`
    select delete_after as "deleteAfter" from organizations where id = ${organizationId}
  `.execute(tx)
  return rows[0]?.deleteAfter
}
