import { sql } from 'kysely'
import type { Withdrawal } from '#contract/billing.ts'
import type { SystemTx } from '#server/platform/database/database.ts'

export interface WithdrawalKey {
  readonly organizationId: string
  readonly subscriptionId: string
}

/** Notes a declaration, once for each subscription, and sees to it that it is carried out even if this process dies. */
export async function insertWithdrawal(
  tx: SystemTx,
  { organizationId, subscriptionId }: WithdrawalKey,
  { name, email, planName }: Withdrawal & { planName: string },
): Promise<void> {
  await sql`
    insert into withdrawals (organization_id, subscription_id, plan_name, name, email)
    values (${organizationId}, ${subscriptionId}, ${planName}, ${name}, ${email})
    on conflict do nothing
  `.execute(tx)
  await sql`
    select app.enqueue_job('complete_withdrawal', ${JSON.stringify({ organizationId, subscriptionId })},
      ${`complete_withdrawal:${subscriptionId}`}, now() + interval '1 minute')
  `.execute(tx)
}

/** The subscription of the organisation's latest declaration. Undefined: there is none. */
export async function findWithdrawn(tx: SystemTx, organizationId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select subscription_id as id from withdrawals where organization_id = ${organizationId}
    order by requested_at desc limit 1
  `.execute(tx)
  return rows[0]?.id
}

/** What the receipt says. */
export interface CompletedWithdrawal {
  readonly planName: string
  readonly name: string
  readonly email: string
  readonly organizationName: string
  readonly requestedAt: Date
  readonly refundedCents: number
}

/** Marks it as carried out. Undefined: it was already. */
export async function completeWithdrawal(
  tx: SystemTx,
  { organizationId, subscriptionId }: WithdrawalKey,
): Promise<CompletedWithdrawal | undefined> {
  const { rows } = await sql<CompletedWithdrawal>`
    update withdrawals w set completed_at = now()
    from organizations o
    where w.organization_id = ${organizationId} and w.subscription_id = ${subscriptionId} and w.completed_at is null
      and o.id = w.organization_id
    returning w.plan_name as "planName", w.name, w.email, w.requested_at as "requestedAt", o.name as "organizationName",
      coalesce((
        select sum(r.cents) from refunds r
        join payments p on p.organization_id = r.organization_id and p.id = r.payment_id
        where p.organization_id = w.organization_id and p.subscription_id = w.subscription_id
          and r.status in ('succeeded', 'pending')
      ), 0)::integer as "refundedCents"
  `.execute(tx)
  return rows[0]
}
