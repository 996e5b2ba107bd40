import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

export interface BackupRun {
  readonly kind: 'backup' | 'drill'
  readonly isScheduled: boolean
  readonly startedAt: Date
  readonly location: string | null
  readonly bytes: number | null
  readonly rowCount: number | null
  readonly fileCount: number | null
  /** Null: it succeeded. */
  readonly problem: string | null
}

const keptDays = 365

/** Notes a run, and forgets those of more than a year ago. */
export async function insertRun(tx: SystemTx, run: BackupRun): Promise<void> {
  const { kind, isScheduled, startedAt, location, bytes, rowCount, fileCount, problem } = run
  await sql`
    insert into app.backup_runs (kind, is_scheduled, started_at, location, bytes, row_count, file_count, problem)
    values (${kind}, ${isScheduled}, ${startedAt}, ${location}, ${bytes}, ${rowCount}, ${fileCount}, ${problem})
  `.execute(tx)
  await sql`
    delete from app.backup_runs where finished_at < now() - make_interval(days => ${keptDays})
  `.execute(tx)
}

/** The last scheduled run of a kind. */
export async function findLastRun(
  tx: SystemTx,
  kind: BackupRun['kind'],
): Promise<{ problem: string | null } | undefined> {
  const { rows } = await sql<{ problem: string | null }>`
    select problem from app.backup_runs where kind = ${kind} and is_scheduled order by finished_at desc limit 1
  `.execute(tx)
  return rows[0]
}

/** Whether a scheduled run of a kind succeeded that began less than so many minutes ago. */
export async function hasRecentRun(tx: SystemTx, kind: BackupRun['kind'], minutes: number): Promise<boolean> {
  const { rows } = await sql`
    select from app.backup_runs
    where kind = ${kind} and is_scheduled and problem is null
      and started_at > now() - make_interval(mins => ${minutes})
    limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Addresses of all superadmins who can get emails. */
export async function listSuperadminEmails(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select a.email from app.superadmins s cross join lateral app.find_mailable(s.user_id) as a (email) order by 1
  `.execute(tx)
  return rows.map(({ email }) => email)
}
