import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

/** What an email about a payment says beside its event. */
export interface PaymentFacts
  extends Readonly<Row<'payments', 'id' | 'number' | 'status' | 'attempts'>>,
    Readonly<
      RowAs<
        'payments',
        {
          /** Stripe's billing_reason. */
          reason: 'reason'
          nextAttemptAt: 'next_attempt_at'
          pageUrl: 'page_url'
          pdfUrl: 'pdf_url'
        }
      >
    > {
  /** An attempt to pay it has failed in the last 30 days. Stripe's count of attempts leaves out those that the customer makes. */
  readonly hasFailed: boolean
  /** Its subscription was withdrawn from, which has a receipt of its own. */
  readonly isWithdrawn: boolean
}

/** Facts of payments, by id. */
export async function readPaymentFacts(
  tx: SystemTx,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PaymentFacts>> {
  const { rows } = await sql<PaymentFacts>`
    select p.id, p.number, p.status, p.reason, p.attempts, p.next_attempt_at as "nextAttemptAt", p.page_url as "pageUrl",
      p.pdf_url as "pdfUrl",
      exists (
        select from app.events e
        where e.organization_id = p.organization_id and e.name = 'payment.failed'
          and e.payload -> 'payments' @> jsonb_build_array(jsonb_build_object('transactionId', p.id))
      ) as "hasFailed",
      exists (
        select from withdrawals w where w.organization_id = p.organization_id and w.subscription_id = p.subscription_id
      ) as "isWithdrawn"
    from payments p
    where p.organization_id = ${organizationId} and p.id = any(${[...ids]}::text[])
  `.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** When a subscription renews. Null: it does not, or is gone. */
export async function findRenewal(tx: SystemTx, organizationId: string, id: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select period_end as at from subscriptions
    where organization_id = ${organizationId} and id = ${id} and cancel_at is null
  `.execute(tx)
  return rows[0]?.at ?? null
}
