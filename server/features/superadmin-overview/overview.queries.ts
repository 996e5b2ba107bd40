import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/** What the database knows of jobs and emails. */
export interface Work {
  readonly workers: number
  readonly workerSeenAt: Date | null
  readonly emailsWaiting: number
  readonly oldestEmailAt: Date | null
  readonly emailsFailed: number
  readonly jobsWaiting: number
  readonly oldestJobAt: Date | null
  readonly jobsFailed: number
}

/** Emails are given up after three days: older ones are not waiting. */
const mailDays = 4
const failedMailDays = 7
const deadAfterSeconds = 60

export async function readWork(tx: SystemTx): Promise<Work> {
  const { rows } = await sql<Work>`
    select w.*, e.*, j.*
    from (
      select count(*) filter (where last_seen_at > now() - make_interval(secs => ${deadAfterSeconds})) as workers,
        max(last_seen_at) as "workerSeenAt"
      from app.job_workers) w,
    (
      select count(*) filter (where sent_at is null and failed_at is null) as "emailsWaiting",
        min(created_at) filter (where sent_at is null and failed_at is null) as "oldestEmailAt",
        count(*) filter (where suppressed_at is null and failed_at > now() - make_interval(days => ${failedMailDays})) as "emailsFailed"
      from app.emails
      where created_at > now() - make_interval(days => ${mailDays + failedMailDays}) and sent_at is null) e,
    (
      select count(*) filter (where attempts < max_attempts and locked_at is null) as "jobsWaiting",
        min(run_at) filter (where attempts < max_attempts and locked_at is null) as "oldestJobAt",
        count(*) filter (where attempts >= max_attempts and locked_at is null) as "jobsFailed"
      from graphile_worker.jobs where run_at <= now()) j
  `.execute(tx)
  const [row] = rows
  if (!row) throw new Error('aggregates without a row')
  return row
}

export interface Troubles {
  readonly payments_past_due: number
  readonly storage_full: number
  readonly limits_reached: number
  readonly contact_messages: number
}

export async function countTroubles(tx: SystemTx): Promise<Troubles> {
  const { rows } = await sql<Troubles>`
    select
      (select count(*) from organizations where subscription_status = 'past_due' and closed_at is null)
        as payments_past_due,
      (select count(distinct organization_id) from full_quotas) as storage_full,
      (select count(distinct w.organization_id) from plan_warnings w
       join organizations o on o.id = w.organization_id and o.closed_at is null
       where w.kind = 'items' and w.level = 100 and w.created_at >= date_trunc('month', now(), 'utc')) as limits_reached,
      (select count(*) from contact_messages where answered_at is null and not is_spam) as contact_messages
  `.execute(tx)
  const [row] = rows
  if (!row) throw new Error('counts without a row')
  return row
}

export interface GrowthDay {
  readonly day: string
  readonly organizations: number
  readonly active: number
  readonly items: number
  readonly loads: number
  readonly mrrCents: number
}

/** The last days in UTC, today last, each of them. From sums by day and changes of revenue. */
export async function listGrowth(tx: SystemTx, days: number): Promise<GrowthDay[]> {
  const { rows } = await sql<GrowthDay>`
    with days as (
      select (now() at time zone 'utc')::date - n as day from generate_series(0, ${days}::integer - 1) as n
    ),
    revenue as (
      select greatest((at at time zone 'utc')::date, (select min(day) from days)) as day,
        sum(after_cents - before_cents) as cents
      from revenue_changes where at <= now() group by 1
    )
    select d.day::text, coalesce(i.organizations, 0) as organizations, coalesce(a.n, 0) as active,
      coalesce(i.items, 0) as items, coalesce(i.loads, 0) as loads,
      coalesce(sum(r.cents) over (order by d.day), 0)::bigint as "mrrCents"
    from days d
    left join app.instance_days i on i.day = d.day
    left join (
      select starts_on, sum(n)::bigint as n from app.active_organizations
      where step = 'day' and starts_on >= (select min(day) from days) group by 1) a on a.starts_on = d.day
    left join revenue r on r.day = d.day
    order by d.day
  `.execute(tx)
  return rows
}
