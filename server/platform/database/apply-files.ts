import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describeError } from './describe-error.ts'
import { rebuildsItself, removeUnfinishedIndex } from './index-migrations.ts'
import { describeBlocker, findLockTimeoutMs, type LockWait, pauseMs } from './lock-wait.ts'
import type { FunctionFile, MigrationFile } from './migration-files.ts'
import type { TablePart } from './split-functions.ts'

/** How files run. */
export interface ApplyOptions {
  /** Noted with each file. Null: unknown. */
  readonly appVersion: string | null
  readonly wait: LockWait
  /**
   * Policies and triggers that run with a migration where it has locked their table: it may have dropped some with a column, and
   * no one may see the table without them. They are not noted.
   */
  readonly ofLockedTables?: readonly TablePart[]
}

/**
 * Runs files in one transaction: all of them, or none. A lock that others hold is waited for in short turns, so that those
 * who come after never queue for long behind a migration.
 *
 * @throws Error whose message is one line: which file failed, why, and that nothing was kept.
 */
export async function applyInTransaction(
  client: pg.Client,
  migration: MigrationFile | undefined,
  functions: readonly FunctionFile[],
  options: ApplyOptions,
): Promise<void> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const failure = await attemptTransaction(client, migration, functions, { ...options, attempt })
    if (!failure) return
    const { error, file } = failure
    if (attempt < 5 && isTransient(error)) {
      await pause(50 * attempt)
      continue
    }
    const isWaiting = hasCode(error, '55P03')
    if (isWaiting && performance.now() - startedAt < options.wait.patienceMs) {
      options.wait.onWait?.({ file: file?.name ?? '', attempt, blocker: await describeBlocker(client) })
      await pause(pauseMs(attempt))
      continue
    }
    const reason = isWaiting
      ? `it waited for ${Math.round(options.wait.patienceMs / 1000)} s for a lock, ${await describeBlocker(client)}`
      : describeError(error)
    throw new Error(
      `${describeFile(file)} failed: ${reason}${describeLine(error, file)}. ` +
        'Nothing of it was kept; start again once the cause is removed.',
      { cause: error },
    )
  }
}

/** Undefined: it was committed. */
async function attemptTransaction(
  client: pg.Client,
  migration: MigrationFile | undefined,
  functions: readonly FunctionFile[],
  { appVersion, attempt, ofLockedTables = [] }: ApplyOptions & { attempt: number },
): Promise<{ error: unknown; file: MigrationFile | FunctionFile | undefined } | undefined> {
  let file: MigrationFile | FunctionFile | undefined = migration
  try {
    const lockTimeoutMs = await findLockTimeoutMs(client, attempt)
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}; set local search_path = public`)
    if (migration) await runMigration(client, migration, appVersion)
    // A function may call another that comes after it. Its body is checked when it first runs, and by a test.
    await client.query('set local check_function_bodies = off')
    for (const each of functions) {
      file = each
      await runFunctions(client, each, appVersion)
    }
    const locked = ofLockedTables.length === 0 ? new Set() : await listLockedTables(client)
    for (const each of ofLockedTables.filter(({ table }) => locked.has(table))) {
      file = each
      await client.query(each.sql)
    }
    await client.query('commit')
    return undefined
  } catch (error) {
    await client.query('rollback').catch(() => {})
    return { error, file }
  }
}

/** Tables that this transaction keeps from everyone, with their schema. */
async function listLockedTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relnamespace::regnamespace || '.' || c.relname as name
     from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and l.mode = 'AccessExclusiveLock' and c.relkind in ('r', 'p')`,
  )
  return new Set(rows.map(({ name }) => name))
}

async function runMigration(client: pg.Client, file: MigrationFile, appVersion: string | null): Promise<void> {
  await client.query('insert into app.schema_migrations (name, checksum, app_version) values ($1, $2, $3)', [
    file.name,
    file.checksum,
    appVersion,
  ])
  await client.query(file.sql)
  await client.query('reset role')
  await client.query('update app.schema_migrations set finished_at = clock_timestamp() where name = $1', [file.name])
}

async function runFunctions(client: pg.Client, file: FunctionFile, appVersion: string | null): Promise<void> {
  await client.query(file.sql)
  if (file.isPart) return
  await client.query(
    `insert into app.schema_migrations as m (name, checksum, finished_at, app_version) values ($1, $2, clock_timestamp(), $3)
     on conflict (name) do update
     set checksum = excluded.checksum, started_at = excluded.started_at, finished_at = excluded.finished_at,
       app_version = excluded.app_version`,
    [file.name, file.checksum, appVersion],
  )
}

/**
 * Runs a migration that cannot run in a transaction. One that only builds indexes is run again after an interruption; a
 * start that finds another one unfinished refuses to go on.
 */
export async function applyAlone(client: pg.Client, file: MigrationFile, appVersion: string | null): Promise<void> {
  // Committed first, so that a crash half-way is seen by the next start instead of being run over.
  await client.query(
    `insert into app.schema_migrations as m (name, checksum, app_version) values ($1, $2, $3)
     on conflict (name) do update set checksum = excluded.checksum, app_version = excluded.app_version
     where m.finished_at is null`,
    [file.name, file.checksum, appVersion],
  )
  try {
    // Building an index concurrently waits for older transactions and keeps no one waiting.
    await client.query('set lock_timeout = 0; set search_path = public')
    if (rebuildsItself(file)) await removeUnfinishedIndex(client, file)
    await client.query(file.sql)
  } catch (error) {
    const remedy = rebuildsItself(file)
      ? 'The index is built again by the next start, once the cause is removed.'
      : 'It may have done a part of its work: undo that with a PostgreSQL client, and run there: delete from ' +
        `app.schema_migrations where name = '${file.name}'`
    throw new Error(`Migration ${file.name} failed: ${describeError(error)}${describeLine(error, file)}. ${remedy}`, {
      cause: error,
    })
  } finally {
    await client.query('reset lock_timeout; reset search_path').catch(() => {})
  }
  await client.query('update app.schema_migrations set finished_at = clock_timestamp() where name = $1', [file.name])
}

/**
 * Roles belong to the whole cluster: another database's migration may touch the same one at the same instant. And
 * processes of the version before may hold a lock on one table while they wait for another.
 */
function isTransient(error: unknown): boolean {
  return (error instanceof Error && error.message === 'tuple concurrently updated') || hasCode(error, '40P01')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof pg.DatabaseError && error.code === code
}

function describeFile(file: MigrationFile | FunctionFile | undefined): string {
  if (!file) return 'The migration'
  return file.name.startsWith('functions/') ? `Function file ${file.name}` : `Migration ${file.name}`
}

function describeLine(error: unknown, file: MigrationFile | FunctionFile | undefined): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN
  return !file || Number.isNaN(position) ? '' : ` (line ${file.sql.slice(0, position).split('\n').length})`
}
