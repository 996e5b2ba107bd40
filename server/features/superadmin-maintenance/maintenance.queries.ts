import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { ReadOnlyMode } from '#server/platform/read-only/read-only.queries.ts'

type Wanted = Pick<ReadOnlyMode, 'message' | 'endsAt' | 'turnedOnBy'>

/** Makes two who switch at the same time wait for each other. */
export async function findModeForUpdate(tx: SystemTx): Promise<ReadOnlyMode | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('read_only_mode', 0))`.execute(tx)
  const { rows } = await sql<ReadOnlyMode>`
    select message, ends_at as "endsAt", since, turned_on_by as "turnedOnBy" from app.read_only_periods
    where ended_at is null
  `.execute(tx)
  return rows[0]
}

/** Turns it on, or changes message and end: `since` and who turned it on stay. */
export async function saveMode(tx: SystemTx, { message, endsAt, turnedOnBy }: Wanted): Promise<void> {
  await sql`
    insert into app.read_only_periods (message, ends_at, turned_on_by) values (${message}, ${endsAt}, ${turnedOnBy})
    on conflict ((true)) where ended_at is null
    do update set message = excluded.message, ends_at = excluded.ends_at
  `.execute(tx)
}

export async function endMode(tx: SystemTx): Promise<void> {
  await sql`update app.read_only_periods set ended_at = now() where ended_at is null`.execute(tx)
}

/** The name of the superadmin who makes the present request. */
export async function findCallerName(tx: SystemTx, userId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select left(coalesce(nullif(p.full_name, ''), p.email), 254) as name from profiles p where p.user_id = ${userId}
  `.execute(tx)
  return rows[0]?.name ?? userId
}

/** @param goingOn names of the jobs that read-only mode does not hold back. */
export async function countJobs(
  tx: SystemTx,
  goingOn: readonly string[],
): Promise<{ runningJobs: number; waitingJobs: number }> {
  const { rows } = await sql<{ runningJobs: number; waitingJobs: number }>`
    select count(*) filter (where locked_at is not null and task_identifier <> all (${[...goingOn]}::text[]))::integer
        as "runningJobs",
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::integer
        as "waitingJobs"
    from graphile_worker.jobs where locked_at is not null or run_at <= now()
  `.execute(tx)
  return rows[0] ?? { runningJobs: 0, waitingJobs: 0 }
}
