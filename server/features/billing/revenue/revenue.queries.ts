import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import { listedMovements, netPayments, netRefunds } from './revenue-sources.queries.ts'

export type MovementKind = 'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation'

/** Changes of monthly recurring revenue of one kind in a month, of the organisations of a cohort. */
export interface Movement {
  /** First days of months. */
  readonly cohort: string
  readonly month: string
  readonly kind: MovementKind
  /** Negative for contraction and churn. */
  readonly cents: number
  readonly organizations: number
}

/** All movements until now. */
export async function listMovements(tx: SystemTx): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    with movements as (${listedMovements})
    select cohort::text, month::text, kind, sum(change)::bigint as cents, count(*) as organizations
    from movements group by cohort, month, kind
  `.execute(tx)
  return rows
}

export interface MoneyOfMonth {
  readonly month: string
  /** Null: in another currency than US dollars. */
  readonly kind: 'collected' | 'refunded' | null
  readonly cents: number
  readonly count: number
}

/** Payments and refunds since a month. */
export async function listMoney(tx: SystemTx, from: string): Promise<MoneyOfMonth[]> {
  const { rows } = await sql<MoneyOfMonth>`
    select month::text, kind, sum(cents)::bigint as cents, count(*) as count
    from (
      select month, case when currency = 'usd' then 'collected' end as kind, cents
      from (${netPayments}) p where month >= ${from}::date
      union all
      select month, case when currency = 'usd' then 'refunded' end, cents
      from (${netRefunds}) r where month >= ${from}::date) m
    group by month, kind
  `.execute(tx)
  return rows
}

export interface TrialsOfMonth {
  readonly month: string
  readonly started: number
  readonly converted: number
}

/** Trials that started since a month. */
export async function listTrials(tx: SystemTx, from: string): Promise<TrialsOfMonth[]> {
  const { rows } = await sql<TrialsOfMonth>`
    select date_trunc('month', o.created_at at time zone 'UTC')::date::text as month, count(*) as started,
      count(*) filter (where exists (
        select from revenue_changes c where c.organization_id = o.id and c.at <= now())) as converted
    from organizations o
    where o.trial_ends_at is not null and o.created_at >= ${from}::date::timestamp at time zone 'UTC'
    group by 1
  `.execute(tx)
  return rows
}

/** First day of the current month. */
export async function readMonth(tx: SystemTx): Promise<string> {
  const { rows } = await sql<{ month: string }>`
    select date_trunc('month', now() at time zone 'UTC')::date::text as month
  `.execute(tx)
  return rows[0]?.month ?? ''
}
