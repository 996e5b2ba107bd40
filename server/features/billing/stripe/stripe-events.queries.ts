import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly customerId: string | null
  readonly outcome: 'converging' | 'unknown_customer' | 'unknown_type' | 'foreign'
  readonly createdAt: Date
}

/** @returns false when the event was received before. */
export async function noteStripeEvent(tx: SystemTx, event: ReceivedEvent): Promise<boolean> {
  const { rows } = await sql`
    insert into stripe_events (id, type, customer_id, outcome, created_at)
    values (${event.id}, ${event.type}, ${event.customerId}, ${event.outcome}, ${event.createdAt})
    on conflict (id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** The organisation of a customer or, for refunds that name none, of a refund. */
export async function findBilledOrganization(
  tx: SystemTx,
  { customerId, refundId }: { customerId: string | null; refundId: string | null },
): Promise<string | undefined> {
  const { rows } = await sql<{ organizationId: string }>`
    select organization_id as "organizationId" from stripe_customers where customer_id = ${customerId}
    union all
    select organization_id from refunds where id = ${refundId}
    limit 1
  `.execute(tx)
  return rows[0]?.organizationId
}

/** Makes the mirror equal to Stripe soon. Several requests before it begins are one. */
export async function requestConvergence(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`
    select app.enqueue_job('converge_billing', ${JSON.stringify({ organizationId })}, ${`converge_billing:${organizationId}`})
  `.execute(tx)
}

/** @returns how many rows were deleted, at most `limit`. */
export async function deleteOldEvents(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from stripe_events where id in (
      select id from stripe_events where received_at < now() - interval '90 days' order by received_at limit ${limit})
    returning id
  `.execute(tx)
  return rows.length
}
