import type pg from 'pg'

/** A migration that waits for a lock. */
export interface WaitingForLock {
  readonly file: string
  readonly attempt: number
  /** Who seems to hold it, e.g. “which process 4711 (psql) may hold since 312 s”. */
  readonly blocker: string
}

export interface LockWait {
  /** A file fails after that time. */
  readonly patienceMs: number
  onWait?(waiting: WaitingForLock): void
}

/*
 * A query of a table that a migration waits for queues behind the migration. So a wait is short, and less than a twentieth of
 * the time is waited: more would show in the 95th percentile of everyone's answers. Measured by
 * `npm run bench -- migration-locks`.
 */
const shortMs = 200
const longMs = 1_500
const longEvery = 5
const pauses = [1_000, 2_000, 5_000]

/**
 * How long one attempt may wait for one lock. Autovacuum gives way to who has waited for a second: while a vacuum runs, each
 * fifth attempt is longer.
 */
export async function findLockTimeoutMs(client: pg.Client, attempt: number): Promise<number> {
  if (attempt % longEvery !== 0) return shortMs
  // Of these views, every login sees the rows of its database.
  const { rowCount } = await client.query(
    `select from pg_stat_progress_vacuum where datname = current_database()
     union all select from pg_stat_progress_analyze where datname = current_database()`,
  )
  return rowCount === 0 ? shortMs : longMs
}

/** How long no one waits after an attempt. */
export function pauseMs(attempt: number): number {
  return pauses[Math.min(attempt, pauses.length) - 1] ?? 0
}

/** Names the oldest open transaction of the database: it is the likely holder of a lock that is not given back. */
export async function describeBlocker(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `select a.pid, coalesce(nullif(a.application_name, ''), a.backend_type) as name,
       extract(epoch from clock_timestamp() - a.xact_start)::int as seconds
     from pg_stat_activity a
     where a.datname = current_database() and a.pid <> pg_backend_pid() and a.xact_start is not null
       and exists (select from pg_locks l where l.pid = a.pid and l.granted and l.relation is not null)
     order by a.xact_start limit 1`,
  )
  const [oldest] = rows
  if (!oldest) return 'whose holder is gone now'
  return `which process ${oldest.pid} of the database (${oldest.name}) may hold: its transaction is open for ${oldest.seconds} s`
}
