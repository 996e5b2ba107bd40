import pg from 'pg'
import { rebuildsItself } from './index-migrations.ts'
import { type FunctionFile, isAuthMigration, type MigrationFile } from './migration-files.ts'

interface AppliedFile {
  readonly name: string
  readonly checksum: string
  readonly startedAt: string
  readonly finishedAt: string | null
  /** The version of Earshot that ran it; null: an early one. */
  readonly appVersion: string | null
}

/** Migrations and functions that ran on a database. */
export interface DatabaseState {
  readonly migrations: readonly AppliedFile[]
  readonly functions: readonly AppliedFile[]
  readonly jobQueueRevision: number | null
  /** Whether the restore of a backup began and has not ended. */
  readonly isHalfRestored: boolean
}

/** The files that a database still lacks. */
export interface PendingFiles {
  readonly migrations: readonly MigrationFile[]
  readonly functions: readonly FunctionFile[]
}

// The second migration of every database that was made before the migrations were folded into one file per noun.
const unfoldedMigration = '0002_emails.sql'

// Also stops older versions, which take it for a migration that they don't know.
const restoreMark = 'restore'

// Both kinds of databases have it.
const backupNote = '(`npm run restore`)'

/** Undefined where nothing ever ran. */
export async function readState(client: pg.Client): Promise<DatabaseState | undefined> {
  try {
    const { rows } = await client.query<{
      name: string
      checksum: string
      started_at: Date
      finished_at: Date | null
      app_version: string | null
    }>(
      // By way of JSON: the column may be missing.
      `select name, checksum, started_at, finished_at, to_jsonb(m) ->> 'app_version' as app_version
       from app.schema_migrations m order by name`,
    )
    const applied = rows.map((row) => ({
      name: row.name,
      checksum: row.checksum,
      startedAt: row.started_at.toISOString(),
      finishedAt: row.finished_at?.toISOString() ?? null,
      appVersion: row.app_version,
    }))
    return {
      isHalfRestored: applied.some((row) => row.name === restoreMark),
      migrations: applied.filter((row) => !isFunctionFile(row.name) && row.name !== restoreMark),
      functions: applied.filter((row) => isFunctionFile(row.name)),
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

/** Notes that a restore begins, before anything else is in the database. Until it ends, no start migrates the database. */
export async function markUnfinishedRestore(client: pg.Client): Promise<void> {
  await createBookkeeping(client, `insert into app.schema_migrations (name, checksum) values ('${restoreMark}', '');`)
}

export async function markFinishedRestore(client: pg.Client): Promise<void> {
  await client.query('delete from app.schema_migrations where name = $1', [restoreMark])
}

const versionComment = 'The version of Earshot that ran the file. Null: an early one.'

/** Adds what bookkeeping of earlier versions lacks. Those write into it as before. */
export async function completeBookkeeping(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select from pg_attribute where attrelid = 'app.schema_migrations'::regclass and attname = 'app_version'`,
  )
  if (rows.length > 0) return
  await client.query(`
    alter table app.schema_migrations add column app_version text;
    comment on column app.schema_migrations.app_version is '${versionComment}'`)
}

export async function createBookkeeping(client: pg.Client, also = ''): Promise<void> {
  await client.query(`
    begin;
    create schema if not exists app;
    create table app.schema_migrations (
      name text primary key,
      checksum text not null,
      started_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      app_version text
    );
    comment on table app.schema_migrations is 'Migrations and function files that have run on this database.';
    comment on column app.schema_migrations.checksum is 'SHA-256 of the file as it ran: shows an edited migration, and a function file to run again.';
    comment on column app.schema_migrations.finished_at is 'Null: started and interrupted. Only a file that cannot run in a transaction can be.';
    comment on column app.schema_migrations.app_version is '${versionComment}';
    alter table app.schema_migrations enable row level security;
    ${also}
    commit;`)
}

/**
 * The files that have yet to run. Function files: those whose content changed; all of them after a migration, which may
 * have dropped a policy or a trigger together with a column, or made a table that needs one.
 *
 * @throws when the database is not one that these migrations, in this order, have made.
 */
export function findPending(
  files: PendingFiles,
  state: Pick<DatabaseState, 'migrations' | 'functions' | 'isHalfRestored'>,
  options: { skipAuth?: boolean | undefined; isRestore?: boolean | undefined; appVersion?: string | undefined },
): PendingFiles {
  if (state.isHalfRestored && !options.isRestore) {
    throw new Error(
      'The restore of a backup into this database was not finished. Run `npm run restore` again with that archive, or use ' +
        'an empty database.',
    )
  }
  const migrations = findPendingMigrations(files.migrations, state.migrations, options)
  if (migrations.length > 0) return { migrations, functions: files.functions }
  const rows = new Map(state.functions.map((row) => [row.name, row]))
  const functions = files.functions.filter(({ name, checksum }) => rows.get(name)?.checksum !== checksum)
  for (const { name } of functions) refuseOlderFunctions(rows.get(name), options.appVersion)
  return { migrations, functions }
}

/** A process of the version before that is started again must not take away what the newer version runs on. */
function refuseOlderFunctions(row: AppliedFile | undefined, appVersion: string | undefined): void {
  if (appVersion === undefined || !row?.appVersion || compareVersions(row.appVersion, appVersion) <= 0) return
  throw new Error(
    `The database was used by Earshot ${row.appVersion}, which is newer than this version (${appVersion}). Start that ` +
      `version or a later one, or restore a backup made before it ${backupNote}.`,
  )
}

/** Below zero: the first is older. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

function findPendingMigrations(
  files: readonly MigrationFile[],
  rows: readonly AppliedFile[],
  options: { skipAuth?: boolean | undefined },
): MigrationFile[] {
  const known = new Map(files.map((file) => [file.name, file]))
  if (!known.has(unfoldedMigration) && rows.some((row) => row.name === unfoldedMigration)) {
    throw new Error(
      'The database was made by a preview of Earshot and this version cannot update it. To keep its feedback, start the ' +
        'version that made it and export the feedback. Then delete the data folder, or set DATABASE_URL to an empty ' +
        'database, and start again.',
    )
  }
  const applied = rows.filter((row) => !(options.skipAuth && isAuthMigration(row.name)))
  for (const row of applied) checkApplied(row, known.get(row.name))
  const interrupted = new Set(applied.filter(({ finishedAt }) => finishedAt === null).map(({ name }) => name))
  const done = new Set(applied.map((row) => row.name))
  const pending = files.filter(({ name }) => !done.has(name) || interrupted.has(name))
  const last = applied.findLast(({ name }) => !interrupted.has(name))?.name ?? ''
  const skipped = pending.find((file) => file.name < last)
  if (skipped) {
    throw new Error(
      `Migration ${skipped.name} has not run on this database although the later ${last} has. Restore a backup ` +
        `${backupNote}, or start with an empty database.`,
    )
  }
  return pending
}

function checkApplied(row: AppliedFile, file: MigrationFile | undefined): void {
  if (!file) {
    const version = row.appVersion === null ? '' : ` (${row.appVersion})`
    throw new Error(
      `The database was used by a newer version of Earshot${version}: this one does not know its migration ${row.name}. ` +
        `Start that version or a later one, or restore a backup made before it ${backupNote}.`,
    )
  }
  if (row.finishedAt === null && !rebuildsItself(file)) {
    throw new Error(
      `Migration ${row.name} began at ${row.startedAt} and never finished. Restore the backup made before it ` +
        `${backupNote}; or complete it with a PostgreSQL client, and run there: update app.schema_migrations ` +
        `set finished_at = now() where name = '${row.name}'`,
    )
  }
  if (row.checksum !== file.checksum) {
    throw new Error(
      `Migration ${row.name} was changed after it had run on this database. Put the file back as it was and make the ` +
        'change in a new migration; a database for development alone can be deleted instead.',
    )
  }
}

function isFunctionFile(name: string): boolean {
  return name.startsWith('functions/')
}

function isMissing(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  return code === '42P01' || code === '3F000'
}
