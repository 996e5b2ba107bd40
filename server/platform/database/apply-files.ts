import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { FunctionFile, MigrationFile } from './migration-files.ts'

/**
 * Runs files in one transaction: all of them, or none.
 *
 * @throws Error whose message is one line: which file failed, why, and that nothing was kept.
 */
export async function applyInTransaction(
  client: pg.Client,
  migration: MigrationFile | undefined,
  functions: readonly FunctionFile[],
  attempt = 1,
): Promise<void> {
  let file: MigrationFile | FunctionFile | undefined = migration
  try {
    await client.query("begin; set local lock_timeout = '30s'; set local search_path = public")
    if (migration) await runMigration(client, migration)
    // A function may call another that comes after it. Its body is checked when it first runs, and by a test.
    await client.query('set local check_function_bodies = off')
    for (const each of functions) {
      file = each
      await runFunctions(client, each)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (attempt < 5 && isTransient(error)) {
      await pause(50 * attempt)
      return applyInTransaction(client, migration, functions, attempt + 1)
    }
    throw new Error(
      `${describeFile(file)} failed: ${describeError(error)}${describeLine(error, file)}. ` +
        'Nothing of it was kept; start again once the cause is removed.',
      { cause: error },
    )
  }
}

async function runMigration(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query('insert into app.schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum])
  await client.query(file.sql)
  await client.query('reset role')
  await client.query('update app.schema_migrations set finished_at = clock_timestamp() where name = $1', [file.name])
}

async function runFunctions(client: pg.Client, file: FunctionFile): Promise<void> {
  await client.query(file.sql)
  await client.query(
    `insert into app.schema_migrations as m (name, checksum, finished_at) values ($1, $2, clock_timestamp())
     on conflict (name) do update
     set checksum = excluded.checksum, started_at = excluded.started_at, finished_at = excluded.finished_at`,
    [file.name, file.checksum],
  )
}

/** Runs a migration that cannot run in a transaction. A start that finds it unfinished refuses to go on. */
export async function applyAlone(client: pg.Client, file: MigrationFile): Promise<void> {
  // Committed first, so that a crash half-way is seen by the next start instead of being run over.
  await client.query('insert into app.schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum])
  try {
    await client.query(file.sql)
  } catch (error) {
    throw new Error(
      `Migration ${file.name} failed: ${describeError(error)}${describeLine(error, file)}. It may have done a part of ` +
        'its work: undo that with a PostgreSQL client, and run there: delete from app.schema_migrations where name = ' +
        `'${file.name}'`,
      { cause: error },
    )
  }
  await client.query('update app.schema_migrations set finished_at = clock_timestamp() where name = $1', [file.name])
}

/** One line, without a full stop. */
export function describeError(error: unknown): string {
  // A refused connection to a name with two addresses arrives as two errors without a message of their own.
  const first = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? first.message : String(first)
  return message.replace(/\s+/g, ' ').replace(/\.$/, '')
}

/**
 * Roles belong to the whole cluster: another database's migration may touch the same one at the same instant. And
 * processes of the version before may hold a lock on one table while they wait for another.
 */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message === 'tuple concurrently updated' || (error instanceof pg.DatabaseError && error.code === '40P01')
}

function describeFile(file: MigrationFile | FunctionFile | undefined): string {
  if (!file) return 'The migration'
  return file.name.startsWith('functions/') ? `Function file ${file.name}` : `Migration ${file.name}`
}

function describeLine(error: unknown, file: MigrationFile | FunctionFile | undefined): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN
  return !file || Number.isNaN(position) ? '' : ` (line ${file.sql.slice(0, position).split('\n').length})`
}
