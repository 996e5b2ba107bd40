import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { applyAlone, applyInTransaction, describeError } from './apply-files.ts'
import { checkServer, checkSupabase, describeTarget } from './check-server.ts'
import { functionsFolder, migrationsFolder, readFunctionFiles, readMigrationFiles } from './migration-files.ts'
import { createBookkeeping, type DatabaseState, findPending, type PendingFiles, readState } from './migration-state.ts'

/** The newest revision of the job queue's own schema that the installed graphile-worker brings. A test compares. */
export const jobQueueRevision = 20

/** Held by the process that migrates. Any number will do, as long as it stays the same: it is the name of the lock. */
export const migrationLock = 7_305_211_846

export interface MigrateOptions {
  readonly url: string
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Another folder of migrations, for tests; without functions, unless those have a folder too. */
  readonly folder?: string | undefined
  readonly functionsFolder?: string | undefined
  /** Leaves out `*_auth.sql`: a Supabase project has its own roles and schema `auth`. */
  readonly skipAuth?: boolean | undefined
  /** For the restore of a backup: migrates a database that {@link markUnfinishedRestore} marked. */
  readonly isRestore?: boolean | undefined
  /** For the restore of a backup: stops after this migration, before the functions, so that its tables can be filled. */
  readonly until?: string | undefined
}

/**
 * Brings a database to the state this version of the product works with: the job queue's schema first, then each file
 * of db/migrations that has not run yet, in order, each in a transaction of its own; the files of db/functions run in
 * the transaction of the last one. Forward only. Several processes may call this at once; one works, the others wait.
 * Costs one query when there is nothing to do.
 *
 * @returns the names of the migrations that this call applied.
 * @throws Error whose message is one line for the operator: what is wrong and what to do. The database then stands as
 *   it was after the last whole migration.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const files = await readFiles(options)
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
    if (before && before.jobQueueRevision === jobQueueRevision) {
      const pending = findPending(files, before, options)
      if (pending.migrations.length === 0 && pending.functions.length === 0) return { applied: [] }
    }
    return await migrateUnderLock(client, files, options)
  } finally {
    await client.end().catch(() => {})
  }
}

async function readFiles(options: MigrateOptions): Promise<PendingFiles> {
  const { until } = options
  const all = await readMigrationFiles(options.folder ?? migrationsFolder, options)
  if (until !== undefined) return { migrations: all.filter(({ name }) => name <= until), functions: [] }
  const folder = options.functionsFolder ?? (options.folder === undefined ? functionsFolder : undefined)
  return { migrations: all, functions: folder === undefined ? [] : await readFunctionFiles(folder, all) }
}

async function migrateUnderLock(client: pg.Client, files: PendingFiles, options: MigrateOptions) {
  await checkServer(client)
  if (options.skipAuth) await checkSupabase(client)
  await client.query('set statement_timeout = 0')
  await takeLock(client, options.log)
  // Read again: the process that had the lock before may have done the work.
  let state = await readState(client)
  if (!state) {
    await createBookkeeping(client)
    state = await readState(client)
  }
  const nothing: DatabaseState = { migrations: [], functions: [], jobQueueRevision: null, isHalfRestored: false }
  const pending = findPending(files, state ?? nothing, options)
  if (state?.jobQueueRevision !== jobQueueRevision) await migrateJobQueue(options)
  if (options.skipAuth && pending.migrations.length > 0) await withdrawDefaultGrants(client)
  await apply(client, pending, options.log)
  return { applied: pending.migrations.map((file) => file.name) }
}

async function apply(client: pg.Client, { migrations, functions }: PendingFiles, log: MigrateOptions['log']) {
  const last = migrations.at(-1)
  for (const file of migrations) {
    const startedAt = performance.now()
    if (file.transactional) await applyInTransaction(client, file, file === last ? functions : [])
    else await applyAlone(client, file)
    log.info({ migration: file.name, durationMs: Math.round(performance.now() - startedAt) }, 'migrated')
  }
  if (functions.length === 0) return
  if (!last?.transactional) await applyInTransaction(client, undefined, functions)
  log.info({ files: functions.map((file) => file.name) }, 'updated database functions')
}

async function takeLock(client: pg.Client, log: MigrateOptions['log']): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock])
    if (rows[0]?.taken) return
    if (attempt === 10) log.info({}, 'another process migrates the database: waiting for it')
    await pause(100)
  }
}

/**
 * A Supabase project grants every right on a new object of schema public to every role of its API. Beside these grants
 * those of the migrations would be void.
 */
async function withdrawDefaultGrants(client: pg.Client): Promise<void> {
  const kinds = ['tables', 'functions', 'sequences']
  const statements = kinds.map(
    (kind) => `alter default privileges in schema public revoke all on ${kind} from anon, authenticated, service_role`,
  )
  await client.query(statements.join('; '))
}

async function migrateJobQueue({ url, log }: MigrateOptions): Promise<void> {
  // Loaded only here: it takes as long as the rest of a start's checks.
  const { Logger, runMigrations } = await import('graphile-worker')
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
