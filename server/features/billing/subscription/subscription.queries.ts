import { sql } from 'kysely'
import type { Invoice } from '#contract/billing.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { MirroredSubscription } from '../stripe/mirror.ts'

/** A plan, as billing names it. */
export interface NamedPlan {
  readonly id: string
  readonly key: string
  readonly name: string
}

export async function findNamedPlan(tx: SystemTx, planId: string): Promise<NamedPlan | undefined> {
  const { rows } = await sql<NamedPlan>`select id, key, name from plans where id = ${planId}`.execute(tx)
  return rows[0]
}

export type ListedSubscription = Pick<
  MirroredSubscription,
  'id' | 'status' | 'planId' | 'interval' | 'cents' | 'currency' | 'coupon' | 'periodEnd' | 'cancelAt' | 'createdAt'
>

/** All that the organisation ever had. */
export async function listSubscriptions(
  tx: TenantTx | SystemTx,
  organizationId: string,
): Promise<ListedSubscription[]> {
  const { rows } = await sql<ListedSubscription>`
    select id, status, plan_id as "planId", interval, cents, currency, coupon, period_end as "periodEnd",
      cancel_at as "cancelAt", created_at as "createdAt"
    from subscriptions where organization_id = ${organizationId}
  `.execute(tx)
  return rows
}

export interface OwedInvoice {
  readonly invoiceId: string
  readonly cents: number
  readonly currency: string
  readonly error: string
  readonly nextAttemptAt: Date | null
  readonly pageUrl: string | null
}

/** The oldest invoice of which an attempt to collect it has failed. */
export async function findOwedInvoice(tx: TenantTx, organizationId: string): Promise<OwedInvoice | undefined> {
  const { rows } = await sql<OwedInvoice>`
    select id as "invoiceId", due_cents - paid_cents as cents, currency, error, next_attempt_at as "nextAttemptAt",
      page_url as "pageUrl"
    from payments
    where organization_id = ${organizationId} and status = 'open' and error is not null
    order by created_at, id limit 1
  `.execute(tx)
  return rows[0]
}

/** Where a page of invoices begins: after this one. */
export interface InvoicePlace {
  readonly createdAt: string
  readonly id: string
}

type InvoiceRow = Omit<Invoice, 'createdAt' | 'paidAt'> & { createdAt: Date; paidAt: Date | null }

/** Invoices, the newest first. */
export async function listInvoices(
  tx: TenantTx,
  organizationId: string,
  { after, limit }: { after: InvoicePlace | undefined; limit: number },
): Promise<Invoice[]> {
  const isOlder = after ? sql`(p.created_at, p.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql`true`
  const { rows } = await sql<InvoiceRow>`
    select p.id, p.number, p.status, p.total_cents as "totalCents", p.tax_cents as "taxCents", p.currency,
      p.created_at as "createdAt", p.paid_at as "paidAt", p.page_url as "pageUrl", p.pdf_url as "pdfUrl",
      coalesce((
        select sum(r.cents) from refunds r
        where r.organization_id = p.organization_id and r.payment_id = p.id and r.status = 'succeeded'
      ), 0)::integer as "refundedCents"
    from payments p
    where p.organization_id = ${organizationId} and ${isOlder}
    order by p.created_at desc, p.id desc
    limit ${limit}
  `.execute(tx)
  return rows.map(({ createdAt, paidAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
  }))
}
