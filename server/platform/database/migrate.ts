import { setTimeout as pause } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { checkServer, checkSupabase, describeTarget } from './check-server.ts'
import { isAuthMigration, type MigrationFile, migrationsFolder, readMigrationFiles } from './migration-files.ts'

/** The newest revision of the job queue's own schema that the installed graphile-worker brings. A test compares. */
export const jobQueueRevision = 20

// Any number will do, as long as it stays the same: it is the name of the lock.
const migrationLock = 7_305_211_846

interface AppliedMigration {
  readonly name: string
  readonly checksum: string
  readonly startedAt: string
  readonly finishedAt: string | null
}

interface DatabaseState {
  readonly applied: readonly AppliedMigration[]
  readonly jobQueueRevision: number | null
}

export interface MigrateOptions {
  readonly url: string
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Another folder of migrations, for tests. */
  readonly folder?: string | undefined
  /** Leaves out `*_auth.sql`: a Supabase project has its own roles and schema `auth`. */
  readonly skipAuth?: boolean | undefined
}

/**
 * Brings a database to the state this version of the product works with: the job queue's schema first, then each file
 * of db/migrations that has not run yet, in order, each in a transaction of its own. Forward only. Several processes
 * may call this at once; one works, the others wait. Costs one query when there is nothing to do.
 *
 * @returns the names of the files that this call applied.
 * @throws Error whose message is one line for the operator: what is wrong and what to do. The database then stands as
 *   it was after the last whole migration.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const files = await readMigrationFiles(options.folder ?? migrationsFolder, options)
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'earshot migrate',
    connectionTimeoutMillis: 8_000,
  })
  // A connection that breaks while idle must not end the process; the next query reports it.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => {})
    throw new Error(`Cannot connect to the database at ${describeTarget(client)}: ${describeError(error)}.`, {
      cause: error,
    })
  }
  try {
    const before = await readState(client)
    if (before && before.jobQueueRevision === jobQueueRevision && findPending(files, before, options).length === 0) {
      return { applied: [] }
    }
    return await migrateUnderLock(client, files, options)
  } finally {
    await client.end().catch(() => {})
  }
}

async function migrateUnderLock(client: pg.Client, files: readonly MigrationFile[], options: MigrateOptions) {
  await checkServer(client)
  if (options.skipAuth) await checkSupabase(client)
  await client.query('set statement_timeout = 0')
  await takeLock(client, options.log)
  // Looked at again: whoever held the lock before may have done the work.
  let state = await readState(client)
  if (!state) {
    await createBookkeeping(client)
    state = await readState(client)
  }
  const pending = findPending(files, state ?? { applied: [], jobQueueRevision: null }, options)
  if (state?.jobQueueRevision !== jobQueueRevision) await migrateJobQueue(options)
  if (options.skipAuth && pending.length > 0) await withdrawDefaultGrants(client)
  for (const file of pending) {
    const startedAt = performance.now()
    await (file.transactional ? applyInTransaction(client, file) : applyAlone(client, file))
    options.log.info({ migration: file.name, durationMs: Math.round(performance.now() - startedAt) }, 'migrated')
  }
  return { applied: pending.map((file) => file.name) }
}

/** What has run on this database; undefined where nothing ever did. */
async function readState(client: pg.Client): Promise<DatabaseState | undefined> {
  try {
    const { rows } = await client.query<{ name: string; checksum: string; started_at: Date; finished_at: Date | null }>(
      'select name, checksum, started_at, finished_at from app.schema_migrations order by name',
    )
    return {
      applied: rows.map((row) => ({
        name: row.name,
        checksum: row.checksum,
        startedAt: row.started_at.toISOString(),
        finishedAt: row.finished_at?.toISOString() ?? null,
      })),
      jobQueueRevision: await readJobQueueRevision(client),
    }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function readJobQueueRevision(client: pg.Client): Promise<number | null> {
  try {
    const { rows } = await client.query<{ id: number | null }>('select max(id) as id from graphile_worker.migrations')
    return rows[0]?.id ?? null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * The files that have yet to run.
 *
 * @throws when the database is not one that these files, in this order, have made.
 */
function findPending(
  files: readonly MigrationFile[],
  state: DatabaseState,
  options: { skipAuth?: boolean | undefined },
): MigrationFile[] {
  const known = new Map(files.map((file) => [file.name, file]))
  const applied = state.applied.filter((row) => !(options.skipAuth && isAuthMigration(row.name)))
  for (const row of applied) {
    const file = known.get(row.name)
    if (!file) {
      throw new Error(
        `The database was used by a newer version of Earshot: this one does not know its migration ${row.name}. ` +
          'Start that version or a later one, or restore a backup made before it.',
      )
    }
    if (row.finishedAt === null) {
      throw new Error(
        `Migration ${row.name} began at ${row.startedAt} and never finished. Restore the backup made before it; or ` +
          "complete it by hand, then run: update app.schema_migrations set finished_at = now() where name = '" +
          `${row.name}'`,
      )
    }
    if (row.checksum !== file.checksum) {
      throw new Error(
        `Migration ${row.name} was changed after it had run on this database. Put the file back as it was and make the ` +
          'change in a new migration; a database for development alone can be deleted instead.',
      )
    }
  }
  const done = new Set(applied.map((row) => row.name))
  const pending = files.filter((file) => !done.has(file.name))
  const last = applied.at(-1)?.name ?? ''
  const skipped = pending.find((file) => file.name < last)
  if (skipped) {
    throw new Error(
      `Migration ${skipped.name} has not run on this database although the later ${last} has. Restore a backup, or ` +
        'start with an empty database.',
    )
  }
  return pending
}

async function takeLock(client: pg.Client, log: MigrateOptions['log']): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock])
    if (rows[0]?.taken) return
    if (attempt === 10) log.info({}, 'another process migrates the database: waiting for it')
    await pause(100)
  }
}

async function createBookkeeping(client: pg.Client): Promise<void> {
  await client.query(`
    begin;
    create schema if not exists app;
    create table app.schema_migrations (
      name text primary key,
      checksum text not null,
      started_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz
    );
    comment on table app.schema_migrations is 'Migrations that have run on this database.';
    comment on column app.schema_migrations.checksum is 'SHA-256 of the file as it ran: tells an edited file.';
    comment on column app.schema_migrations.finished_at is 'Null: begun and broken off. Only a file that cannot run in a transaction can be.';
    alter table app.schema_migrations enable row level security;
    commit;`)
}

/**
 * A Supabase project opens whatever its owner makes in schema public to every role of its API, with every right. The
 * migrations say who may do what; beside those grants theirs would be void.
 */
async function withdrawDefaultGrants(client: pg.Client): Promise<void> {
  const kinds = ['tables', 'functions', 'sequences']
  const statements = kinds.map(
    (kind) => `alter default privileges in schema public revoke all on ${kind} from anon, authenticated, service_role`,
  )
  await client.query(statements.join('; '))
}

async function migrateJobQueue({ url, log }: MigrateOptions): Promise<void> {
  try {
    // Its lines would tell of twenty steps where one matters.
    const logger = new Logger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({}, message)
    })
    await runMigrations({ connectionString: url, logger })
    log.info({ revision: jobQueueRevision }, 'migrated the job queue')
  } catch (error) {
    throw new Error(`The job queue's schema could not be brought up to date: ${describeError(error)}.`, {
      cause: error,
    })
  }
}

async function applyInTransaction(client: pg.Client, file: MigrationFile, attempt = 1): Promise<void> {
  try {
    await client.query("begin; set local lock_timeout = '30s'; set local search_path = public")
    await client.query('insert into app.schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum])
    await client.query(file.sql)
    await client.query('reset role')
    await client.query('update app.schema_migrations set finished_at = clock_timestamp() where name = $1', [file.name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    // Roles belong to the whole cluster: another database's migration may touch the same one at the same instant.
    if (attempt < 5 && error instanceof Error && error.message === 'tuple concurrently updated') {
      await pause(50 * attempt)
      return applyInTransaction(client, file, attempt + 1)
    }
    throw new Error(
      `Migration ${file.name} failed: ${describeError(error)}${describeLine(error, file)}. ` +
        'Nothing of it was kept; start again once the cause is gone.',
      { cause: error },
    )
  }
}

async function applyAlone(client: pg.Client, file: MigrationFile): Promise<void> {
  // Committed first, so that a crash half-way is seen by the next start instead of being run over.
  await client.query('insert into app.schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum])
  try {
    await client.query(file.sql)
  } catch (error) {
    throw new Error(
      `Migration ${file.name} failed: ${describeError(error)}${describeLine(error, file)}. It may have done a part of ` +
        "its work: undo that by hand, then run: delete from app.schema_migrations where name = '" +
        `${file.name}'`,
      { cause: error },
    )
  }
  await client.query('update app.schema_migrations set finished_at = clock_timestamp() where name = $1', [file.name])
}

function isMissing(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  return code === '42P01' || code === '3F000'
}

function describeError(error: unknown): string {
  // A refused connection to a name with two addresses arrives as two errors without a message of their own.
  const first = error instanceof AggregateError ? error.errors[0] : error
  const message = first instanceof Error ? first.message : String(first)
  return message.replace(/\s+/g, ' ').replace(/\.$/, '')
}

function describeLine(error: unknown, file: MigrationFile): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN
  return Number.isNaN(position) ? '' : ` (line ${file.sql.slice(0, position).split('\n').length})`
}
