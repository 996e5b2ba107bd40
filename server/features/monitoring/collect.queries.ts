import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { ProcessSample } from './measure-process.ts'

/** A process as it introduces itself. */
export interface ProcessIdentity {
  readonly id: string
  readonly services: string
  readonly host: string
  readonly pid: number
  readonly appVersion: string
  readonly nodeVersion: string
  readonly startedAt: Date
}

export async function noteProcess(tx: SystemTx, identity: ProcessIdentity): Promise<void> {
  const { id, services, host, pid, appVersion, nodeVersion, startedAt } = identity
  await sql`
    insert into app.monitored_processes (id, services, host, pid, app_version, node_version, started_at)
    values (${id}, ${services}, ${host}, ${pid}, ${appVersion}, ${nodeVersion}, ${startedAt})
    on conflict (id) do update set last_seen_at = now(), ended_at = null
  `.execute(tx)
}

export async function endProcess(tx: SystemTx, id: string): Promise<void> {
  await sql`update app.monitored_processes set ended_at = now() where id = ${id}`.execute(tx)
}

export async function insertProcessMinute(tx: SystemTx, processId: string, sample: ProcessSample): Promise<void> {
  const { delayMs, cpuPercent, memoryBytes, diskFreePercent } = sample
  await sql`
    insert into app.process_minutes (minute, process_id, delay_ms, cpu_percent, memory_bytes, disk_free_percent)
    values (date_trunc('minute', now()), ${processId}, ${delayMs}, ${cpuPercent}, ${memoryBytes}, ${diskFreePercent})
    on conflict (minute, process_id) do nothing
  `.execute(tx)
}

/** One process at a time measures the instance. False: another is at it. */
export async function tryLockMonitoring(tx: SystemTx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('monitoring', 0)) as locked
  `.execute(tx)
  return rows[0]?.locked ?? false
}

/** Queries that run for longer count as slow. */
export const slowQuerySeconds = 1
const deadAfterSeconds = 60

/** Measures the instance. @returns the minute; undefined: it was measured before. */
export async function insertInstanceMinute(tx: SystemTx): Promise<Date | undefined> {
  const { rows: known } = await sql`
    select from app.instance_minutes where minute = date_trunc('minute', now())
  `.execute(tx)
  if (known.length > 0) return undefined
  const { rows } = await sql<{ minute: Date }>`
    with read_only as (
      select coalesce(extract(epoch from now() - min(since)), 0)::integer as seconds
      from app.read_only_periods where ended_at is null)
    insert into app.instance_minutes (minute, database_bytes, connections_percent, slow_queries, queue_waiting,
      queue_oldest_seconds, jobs_failed, emails_waiting, emails_failed, integrations_failing, workers, read_only_seconds)
    select date_trunc('minute', now()), pg_database_size(current_database()), c.percent,
      (select count(*) from app.list_running_queries(${slowQuerySeconds})), j.waiting, j.oldest, j.failed,
      e.waiting, e.failed,
      (select count(*) from integrations where state = 'disabled' and removed_at is null), w.workers, r.seconds
    from (
      select 100.0 * sum(numbackends) / current_setting('max_connections')::integer as percent
      from pg_stat_database) c,
    (
      -- While the instance is read-only, jobs and emails wait on purpose: they are no reason for an alert.
      select count(*) filter (where attempts < max_attempts and r.seconds = 0) as waiting,
        coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts and r.seconds = 0)), 0)::integer
          as oldest,
        count(*) filter (where attempts >= max_attempts) as failed
      from graphile_worker.jobs cross join read_only r where run_at <= now() and locked_at is null) j,
    (
      select count(*) filter (where failed_at is null and r.seconds = 0) as waiting,
        count(*) filter (where failed_at > now() - interval '24 hours') as failed
      from app.emails cross join read_only r where sent_at is null) e,
    (
      select count(distinct coalesce(keeper_id::text, worker_id)) as workers
      from app.job_workers where last_seen_at > now() - make_interval(secs => ${deadAfterSeconds})) w,
    read_only r
    on conflict do nothing returning minute
  `.execute(tx)
  return rows[0]?.minute
}

/** Figures are kept for so long. */
export const keptDays = 14

/** Deletes what is older. Once an hour is enough: a day of one process is 1,440 rows. */
export async function pruneFigures(tx: SystemTx): Promise<void> {
  const old = sql`now() - make_interval(days => ${keptDays}::integer)`
  await sql`delete from app.process_minutes where minute < ${old}`.execute(tx)
  await sql`delete from app.instance_minutes where minute < ${old}`.execute(tx)
  await sql`delete from app.monitored_processes where last_seen_at < ${old}`.execute(tx)
  await sql`delete from app.monitor_alerts where ended_at < ${old}`.execute(tx)
}
