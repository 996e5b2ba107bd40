import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

const reason = 'the doctor checks the whole instance'

async function readOne<Row>(database: Database, query: ReturnType<typeof sql<Row>>): Promise<Row> {
  const { rows } = await database.asSystem(reason, (tx) => query.execute(tx))
  const [row] = rows
  if (!row) throw new Error('the database gave no row')
  return row
}

const deadAfterSeconds = 60

export function readJobs(database: Database) {
  return readOne(
    database,
    sql<{ workers: number; oldestSeconds: number; waiting: number; failed: number }>`
      select
        (select count(*)::integer from app.job_workers
         where last_seen_at > now() - make_interval(secs => ${deadAfterSeconds})) as workers,
        coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts)), 0)::integer
          as "oldestSeconds",
        count(*) filter (where attempts < max_attempts)::integer as waiting,
        count(*) filter (where attempts >= max_attempts)::integer as failed
      from graphile_worker.jobs where run_at <= now() and locked_at is null`,
  )
}

/** Versions of the processes that run. */
export async function listVersions(database: Database): Promise<string[]> {
  const { versions } = await readOne(
    database,
    sql<{ versions: string[] }>`
      select coalesce(array_agg(distinct app_version), '{}') as versions from app.monitored_processes
      where ended_at is null and last_seen_at > now() - interval '3 minutes'`,
  )
  return versions
}

export function readOutbox(database: Database) {
  return readOne(
    database,
    sql<{ waiting: number; oldestMinutes: number; failed: number; lastError: string | null }>`
      select count(*) filter (where failed_at is null)::integer as waiting,
        coalesce(extract(epoch from now() - min(created_at) filter (where failed_at is null)) / 60, 0)::integer
          as "oldestMinutes",
        count(*) filter (where failed_at > now() - interval '24 hours')::integer as failed,
        (array_agg(last_error order by coalesce(failed_at, created_at) desc) filter (where last_error is not null))[1]
          as "lastError"
      from app.emails where sent_at is null`,
  )
}

/** @returns `usable`: those whose account is confirmed and not banned. */
export function readSuperadmins(database: Database, wanted: readonly string[]) {
  return readOne(
    database,
    sql<{ all: number; usable: number; missing: string[] }>`
      with usable as (
        select lower(a.email) as email from app.superadmins s
        cross join lateral app.find_mailable(s.user_id) as a (email))
      select (select count(*)::integer from app.superadmins) as "all",
        (select count(*)::integer from usable) as usable,
        array(select w from unnest(${[...wanted]}::text[]) as w where w not in (select email from usable)) as missing`,
  )
}

/** @returns `silentHours`: since the first customer without any event of Stripe; null: events arrive. */
export function readStripeEvents(database: Database) {
  return readOne(
    database,
    sql<{ customers: number; silentHours: number | null; foreign: number }>`
      select (select count(*)::integer from stripe_customers) as customers,
        (select (extract(epoch from now() - min(c.created_at)) / 3600)::integer from stripe_customers c
         where not exists (select from stripe_events e where e.received_at >= c.created_at)) as "silentHours",
        (select count(*)::integer from stripe_events
         where outcome = 'foreign' and received_at > now() - interval '24 hours') as "foreign"`,
  )
}

export function readIntegrations(database: Database) {
  return readOne(
    database,
    sql<{ active: number; disabled: number; attempted: number; answered: number; reached: number }>`
      select
        (select count(*)::integer from integrations where state = 'active' and removed_at is null) as active,
        (select count(*)::integer from integrations where state = 'disabled' and removed_at is null) as disabled,
        count(*)::integer as attempted, count(a.status)::integer as answered,
        count(distinct d.integration_id)::integer as reached
      from delivery_attempts a
      join deliveries d on d.organization_id = a.organization_id and d.id = a.delivery_id
      where a.created_at > now() - interval '24 hours'`,
  )
}

/** @returns hours since the last backup and the last drill that succeeded, and why the newest scheduled one failed. Null: none. */
export function readBackups(database: Database) {
  return readOne(
    database,
    sql<{
      backupHours: number | null
      drillHours: number | null
      firstBackupHours: number | null
      backupProblem: string | null
      drillProblem: string | null
    }>`
      select
        (extract(epoch from now() - max(finished_at) filter (where kind = 'backup' and problem is null)) / 3600)::float
          as "backupHours",
        (extract(epoch from now() - max(finished_at) filter (where kind = 'drill' and problem is null)) / 3600)::float
          as "drillHours",
        (extract(epoch from now() - min(finished_at) filter (where kind = 'backup' and is_scheduled)) / 3600)::float
          as "firstBackupHours",
        (array_agg(problem order by finished_at desc) filter (where kind = 'backup' and is_scheduled))[1]
          as "backupProblem",
        (array_agg(problem order by finished_at desc) filter (where kind = 'drill'))[1] as "drillProblem"
      from app.backup_runs`,
  )
}

/**
 * @returns processes whose lines were dropped within a day, processes that run and store none, or whose oldest line has waited
 * for so long, and the last part that was deleted before its time.
 */
export function readLogWriters(database: Database, { lateSeconds }: { lateSeconds: number }) {
  return readOne(
    database,
    sql<{ writers: number; dropped: number; late: number; lastError: string | null; deletedTo: Date | null }>`
      select
        count(*) filter (where w.seen_at > now() - interval '5 minutes')::integer as writers,
        coalesce(sum(w.dropped) filter (where w.dropped_at > now() - interval '24 hours'), 0)::integer as dropped,
        count(*) filter (where w.seen_at > now() - interval '5 minutes'
            and w.oldest_waiting_at < w.seen_at - make_interval(secs => ${lateSeconds}))::integer
          + (select count(*)::integer from app.monitored_processes p
             where p.ended_at is null and p.last_seen_at > now() - interval '3 minutes'
               and p.started_at < now() - interval '5 minutes'
               and not exists (select from app.log_writers o
                 where o.process = p.host || ':' || p.pid and o.seen_at > now() - interval '5 minutes')) as late,
        (array_agg(w.last_error order by w.seen_at desc) filter (where w.last_error is not null))[1] as "lastError",
        (select max(starts_at) + interval '6 hours' from app.log_parts
         where is_removed_for_size and removed_at > now() - interval '7 days') as "deletedTo"
      from app.log_writers w`,
  )
}
