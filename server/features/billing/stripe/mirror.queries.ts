import { sql } from 'kysely'
import type { SubscriptionStatus } from '#contract/plans.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { deriveRevenueChanges } from '../revenue/revenue-changes.queries.ts'
import type { Interval, Mirror, MirroredPayment, MirroredRefund, MirroredSubscription } from './mirror.ts'
import type { Catalogue } from './read-stripe.ts'

/** A plan, as far as changes of subscriptions are described by it. */
export interface KnownPlan {
  readonly id: string
  readonly name: string
  readonly monthlyCents: number
}

interface PlanRow extends KnownPlan {
  readonly productId: string | null
  readonly monthlyPriceId: string | null
  readonly yearlyPriceId: string | null
}

/** Products and prices of the plans at Stripe. */
export async function readCatalogue(
  tx: SystemTx,
): Promise<Catalogue & { readonly known: ReadonlyMap<string, KnownPlan> }> {
  const { rows } = await sql<PlanRow>`
    select id, name, monthly_cents as "monthlyCents", stripe_product_id as "productId",
      stripe_monthly_price_id as "monthlyPriceId", stripe_yearly_price_id as "yearlyPriceId"
    from plans
  `.execute(tx)
  const intervals = rows.flatMap(({ monthlyPriceId, yearlyPriceId }): (readonly [string | null, Interval])[] => [
    [monthlyPriceId, 'month'],
    [yearlyPriceId, 'year'],
  ])
  return {
    plans: new Map(rows.flatMap(({ productId, id }) => (productId === null ? [] : [[productId, id] as const]))),
    intervals: new Map(intervals.flatMap(([price, interval]) => (price === null ? [] : [[price, interval] as const]))),
    known: new Map(rows.map(({ id, name, monthlyCents }) => [id, { id, name, monthlyCents }])),
  }
}

/** Numbers a read of Stripe that is about to begin. Undefined: the organisation has no customer. */
export async function beginRead(
  tx: SystemTx,
  organizationId: string,
): Promise<{ customerId: string; read: number } | undefined> {
  const { rows } = await sql<{ customerId: string; read: number }>`
    update stripe_customers set reads = reads + 1 where organization_id = ${organizationId}
    returning customer_id as "customerId", reads as read
  `.execute(tx)
  return rows[0]
}

/** Lets one transaction at a time write the mirror. False: a newer read was saved, or the customer was replaced. */
export async function claimRead(
  tx: SystemTx,
  { organizationId, customerId, read }: { organizationId: string; customerId: string; read: number },
): Promise<boolean> {
  const { rows } = await sql`
    update stripe_customers set saved_read = ${read}, converged_at = now()
    where organization_id = ${organizationId} and customer_id = ${customerId} and saved_read < ${read}
    returning organization_id
  `.execute(tx)
  return rows.length > 0
}

export async function readSubscriptions(tx: SystemTx, organizationId: string): Promise<MirroredSubscription[]> {
  const { rows } = await sql<MirroredSubscription>`
    select id, status, plan_id as "planId", price_id as "priceId", interval, cents, currency, coupon,
      period_start as "periodStart", period_end as "periodEnd", trial_end as "trialEnd", cancel_at as "cancelAt",
      cancel_reason as "cancelReason", ended_at as "endedAt", created_at as "createdAt"
    from subscriptions where organization_id = ${organizationId} order by id collate "C"
  `.execute(tx)
  return rows
}

/** The mirror as it is stored. */
export async function readMirror(tx: SystemTx, organizationId: string): Promise<Mirror> {
  const of = sql`where organization_id = ${organizationId} order by id collate "C"`
  const subscriptions = await readSubscriptions(tx, organizationId)
  const { rows: payments } = await sql<MirroredPayment>`
    select id, number, subscription_id as "subscriptionId", status, reason, plan_id as "planId", interval,
      period_start as "periodStart", period_end as "periodEnd", recurring_cents as "recurringCents", coupon,
      total_cents as "totalCents", tax_cents as "taxCents", due_cents as "dueCents", paid_cents as "paidCents", currency,
      attempts, error, next_attempt_at as "nextAttemptAt", page_url as "pageUrl", pdf_url as "pdfUrl",
      created_at as "createdAt", paid_at as "paidAt"
    from payments ${of}
  `.execute(tx)
  const { rows: refunds } = await sql<MirroredRefund>`
    select id, payment_id as "paymentId", status, reason, cents, currency, created_at as "createdAt" from refunds ${of}
  `.execute(tx)
  return { subscriptions, payments, refunds }
}

/** Replaces the mirror, and what is derived from it. */
export async function writeMirror(tx: SystemTx, organizationId: string, mirror: Mirror): Promise<void> {
  await sql`
    with r as (delete from refunds where organization_id = ${organizationId}),
      s as (delete from subscriptions where organization_id = ${organizationId})
    delete from payments where organization_id = ${organizationId}
  `.execute(tx)
  await insertSubscriptions(tx, organizationId, mirror.subscriptions)
  await insertPayments(tx, organizationId, mirror.payments)
  if (mirror.refunds.length > 0) await insertRefunds(tx, organizationId, mirror.refunds)
  await deriveRevenueChanges(tx, [organizationId])
}

async function insertRefunds(tx: SystemTx, organizationId: string, refunds: readonly MirroredRefund[]): Promise<void> {
  await tx
    .insertInto('refunds')
    .values(
      refunds.map(({ paymentId, createdAt, ...refund }) => ({
        ...refund,
        organization_id: organizationId,
        payment_id: paymentId,
        created_at: createdAt,
      })),
    )
    .execute()
}

async function insertSubscriptions(
  tx: SystemTx,
  organizationId: string,
  subscriptions: readonly MirroredSubscription[],
): Promise<void> {
  if (subscriptions.length === 0) return
  await tx
    .insertInto('subscriptions')
    .values(
      subscriptions.map((each) => ({
        organization_id: organizationId,
        id: each.id,
        status: each.status,
        plan_id: each.planId,
        price_id: each.priceId,
        interval: each.interval,
        cents: each.cents,
        currency: each.currency,
        coupon: each.coupon,
        period_start: each.periodStart,
        period_end: each.periodEnd,
        trial_end: each.trialEnd,
        cancel_at: each.cancelAt,
        cancel_reason: each.cancelReason,
        ended_at: each.endedAt,
        created_at: each.createdAt,
      })),
    )
    .execute()
}

async function insertPayments(
  tx: SystemTx,
  organizationId: string,
  payments: readonly MirroredPayment[],
): Promise<void> {
  if (payments.length === 0) return
  await tx
    .insertInto('payments')
    .values(
      payments.map((each) => ({
        organization_id: organizationId,
        id: each.id,
        number: each.number,
        subscription_id: each.subscriptionId,
        status: each.status,
        reason: each.reason,
        plan_id: each.planId,
        interval: each.interval,
        period_start: each.periodStart,
        period_end: each.periodEnd,
        recurring_cents: each.recurringCents,
        coupon: each.coupon,
        total_cents: each.totalCents,
        tax_cents: each.taxCents,
        due_cents: each.dueCents,
        paid_cents: each.paidCents,
        currency: each.currency,
        attempts: each.attempts,
        error: each.error,
        next_attempt_at: each.nextAttemptAt,
        page_url: each.pageUrl,
        pdf_url: each.pdfUrl,
        created_at: each.createdAt,
        paid_at: each.paidAt,
      })),
    )
    .execute()
}

/** Undefined: it was deleted. */
export async function findStanding(
  tx: SystemTx,
  organizationId: string,
): Promise<{ status: SubscriptionStatus; planId: string | null; trialEndsAt: Date | null } | undefined> {
  const { rows } = await sql<{ status: SubscriptionStatus; planId: string | null; trialEndsAt: Date | null }>`
    select subscription_status as status, subscription_plan_id as "planId",
      case when subscription_status = 'trialing' then least(trial_ends_at, now()) else trial_ends_at end as "trialEndsAt"
    from organizations where id = ${organizationId}
    for no key update
  `.execute(tx)
  return rows[0]
}
