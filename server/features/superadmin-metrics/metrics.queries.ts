import { sql } from 'kysely'
import {
  type Activation,
  activationStepNames,
  type MetricsPartFigure,
  type MetricsStep,
  type Usage,
  usageFigureNames,
} from '#contract/superadmin-metrics.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { activity } from './fold-usage.queries.ts'

/** Days as `2026-01-31`, both included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

const figures = sql.join(usageFigureNames.map((name) => sql.ref(name)))

/** Today in UTC, by the database's clock. */
export async function readToday(tx: SystemTx): Promise<string> {
  const { rows } = await sql<{ today: string }>`select (now() at time zone 'utc')::date::text as today`.execute(tx)
  return rows[0]?.today ?? ''
}

export async function listUsageDays(tx: SystemTx, { from, to }: DayRange): Promise<(Usage & { day: string })[]> {
  const { rows } = await sql<Usage & { day: string }>`
    select day::text, ${figures} from app.instance_days where day between ${from}::date and ${to}::date
  `.execute(tx)
  return rows
}

/** Active organisations by the first day of each step. */
export async function listActive(
  tx: SystemTx,
  step: MetricsStep,
  { from, to }: DayRange,
): Promise<{ startsOn: string; n: number }[]> {
  const { rows } = await sql<{ startsOn: string; n: number }>`
    select starts_on::text as "startsOn", sum(n)::integer as n from app.active_organizations
    where step = ${step} and starts_on between ${from}::date and ${to}::date
    group by starts_on
  `.execute(tx)
  return rows
}

export async function sumActivation(tx: SystemTx, { from, to }: DayRange): Promise<Activation> {
  const { rows } = await sql<Activation>`
    select coalesce(sum(registered), 0)::integer as registered, coalesce(sum(verified), 0)::integer as verified,
      coalesce(sum(project), 0)::integer as project, coalesce(sum(installed), 0)::integer as installed,
      coalesce(sum(item), 0)::integer as item, coalesce(sum(engaged), 0)::integer as engaged
    from app.activation_days where registered_on between ${from}::date and ${to}::date
  `.execute(tx)
  return rows[0] ?? { registered: 0, verified: 0, project: 0, installed: 0, item: 0, engaged: 0 }
}

/** Organisations by the Monday of the week in which they signed up. */
export async function listCohorts(tx: SystemTx, from: string): Promise<{ week: string; organizations: number }[]> {
  const { rows } = await sql<{ week: string; organizations: number }>`
    select date_trunc('week', registered_on::timestamp)::date::text as week, sum(registered)::integer as organizations
    from app.activation_days where registered_on >= ${from}::date group by 1
  `.execute(tx)
  return rows
}

/** By week of sign-up and week. */
export async function listRetention(
  tx: SystemTx,
  from: string,
): Promise<{ cohort: string; week: string; n: number }[]> {
  const { rows } = await sql<{ cohort: string; week: string; n: number }>`
    select cohort::text, starts_on::text as week, n from app.active_organizations
    where step = 'week' and starts_on >= ${from}::date and cohort >= ${from}::date
  `.execute(tx)
  return rows
}

const taken = {
  registered: sql`true`,
  verified: sql`a.is_verified`,
  project: sql`a.has_project`,
  installed: sql`a.is_installed`,
  item: sql`a.has_item`,
  engaged: sql`a.is_engaged`,
} as const

export interface WantedParts extends DayRange {
  readonly figure: MetricsPartFigure
  /** Null: all. */
  readonly cohort?: string | null
}

/** Organisations and what they add. Columns: organization_id, amount. */
export function selectParts({ figure, from, to, cohort = null }: WantedParts) {
  if (figure === 'active') {
    return sql`
      select u.organization_id, count(*) as amount from app.usage_days u
      join app.activations a on a.organization_id = u.organization_id
      where u.day between ${from}::date and ${to}::date and ${activity}
        and (${cohort}::date is null or a.registered_on between ${cohort}::date and ${cohort}::date + 6)
      group by u.organization_id
    `
  }
  const step = activationStepNames.find((name) => name === figure)
  if (step) {
    return sql`
      select a.organization_id, 1 as amount from app.activations a
      where a.registered_on between ${from}::date and ${to}::date and ${taken[step]}
    `
  }
  return sql`
    select u.organization_id, sum(u.${sql.ref(figure)}) as amount from app.usage_days u
    where u.day between ${from}::date and ${to}::date
    group by u.organization_id having sum(u.${sql.ref(figure)}) <> 0
  `
}
