import { type RawBuilder, sql } from 'kysely'
import type { RevenueFigure } from '#contract/revenue.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { listedMovements, netPayments, netRefunds } from './revenue-sources.queries.ts'

/** Where a page ends. */
export interface PartPlace {
  readonly amount: number
  readonly id: string
}

export interface WantedParts {
  readonly figure: RevenueFigure
  /** First day of the month. */
  readonly month: string
  /** First day of the cohort's month; undefined: all. */
  readonly cohort: string | undefined
  readonly after: PartPlace | undefined
  readonly limit: number
}

export interface FoundParts {
  readonly total: number
  readonly count: number
  readonly rows: readonly { id: string; name: string; slug: string; amount: number }[]
}

type Parts = (month: string, cohort: string | undefined) => RawBuilder<unknown>

const ofMovements =
  (kind: string, sign: 1 | -1): Parts =>
  (month) =>
    sql`
    select organization_id, change * ${sql.lit(sign)} as amount from (${listedMovements}) m
    where month = ${month}::date and kind = ${kind}
  `
const ofMoney =
  (source: RawBuilder<unknown>): Parts =>
  (month) =>
    sql`
    select organization_id, sum(cents) as amount from (${source}) m
    where month = ${month}::date and currency = 'usd' group by organization_id
  `
const startedTrials = (month: string) => sql`
  select o.id as organization_id, 1 as amount from organizations o
  where o.trial_ends_at is not null and date_trunc('month', o.created_at at time zone 'UTC')::date = ${month}::date
`

const sources: Readonly<Record<RevenueFigure, Parts>> = {
  mrr: (month, cohort) => sql`
    select organization_id, sum(change) as amount from (${listedMovements}) m
    where month <= ${month}::date and (${cohort ?? null}::date is null or cohort = ${cohort ?? null}::date)
    group by organization_id having sum(change) > 0
  `,
  new: ofMovements('new', 1),
  expansion: ofMovements('expansion', 1),
  contraction: ofMovements('contraction', -1),
  churn: ofMovements('churn', -1),
  reactivation: ofMovements('reactivation', 1),
  collected: ofMoney(netPayments),
  refunded: ofMoney(netRefunds),
  trialsStarted: startedTrials,
  trialsConverted: (month) => sql`
    ${startedTrials(month)}
    and exists (select from revenue_changes c where c.organization_id = o.id and c.at <= now())
  `,
}

/** A page of the organisations that a figure is made of, the largest amount first, with the sum of all. */
export async function listParts(
  tx: SystemTx,
  { figure, month, cohort, after, limit }: WantedParts,
): Promise<FoundParts> {
  const place = after ? sql`(p.amount, p.organization_id) < (${after.amount}, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<{
    total: number
    count: number
    id: string | null
    name: string
    slug: string
    amount: number
  }>`
    with parts as (${sources[figure](month, cohort)})
    select t.total, t.count, page.id, page.name, page.slug, page.amount
    from (select coalesce(sum(amount), 0)::bigint as total, count(*) as count from parts) t
    left join (
      select o.id, o.name, o.slug, p.amount::bigint as amount
      from parts p join organizations o on o.id = p.organization_id
      where ${place} order by p.amount desc, p.organization_id desc limit ${limit}) page on true
    order by page.amount desc, page.id desc
  `.execute(tx)
  const [first] = rows
  return {
    total: first?.total ?? 0,
    count: first?.count ?? 0,
    rows: rows.flatMap(({ id, name, slug, amount }) => (id === null ? [] : [{ id, name, slug, amount }])),
  }
}
