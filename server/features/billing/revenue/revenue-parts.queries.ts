import { type RawBuilder, sql } from 'kysely'
import type { RevenueFigure } from '#contract/revenue.ts'
import { listedMovements, netPayments, netRefunds } from './revenue-sources.queries.ts'

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

/**
 * Organisations and what they add to a figure. Columns: organization_id, amount.
 *
 * @param month its first day.
 * @param cohort first day of its month; undefined: all.
 */
export function selectParts(figure: RevenueFigure, month: string, cohort: string | undefined): RawBuilder<unknown> {
  return sources[figure](month, cohort)
}
