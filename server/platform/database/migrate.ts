import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { applyAlone, applyInTransaction } from './apply-files.ts'
import { checkServer, checkSupabase, describeTarget } from './check-server.ts'
import { describeError } from './describe-error.ts'
import type { LockWait, WaitingForLock } from './lock-wait.ts'
import { functionsFolder, migrationsFolder, readFunctionFiles, readMigrationFiles } from './migration-files.ts'
import {
  completeBookkeeping,
  createBookkeeping,
  type DatabaseState,
  findPending,
  type PendingFiles,
  readState,
} from './migration-state.ts'
import { splitFunctions, type TablePart } from './split-functions.ts'
import { watchMigration } from './watch-migration.ts'

/** The newest revision of the job queue's own schema that the installed graphile-worker brings. A test compares. */
export const jobQueueRevision = 20

/** Held by the process that migrates. Any number will do, as long as it stays the same: it is the name of the lock. */
export const migrationLock = 7_305_211_846

/** Held by the process that prepares an upgrade and carries it out. Not the lock above: a backup refuses to begin under that. */
const upgradeLock = 7_305_211_849

const lockPatienceMs = 5 * 60_000

/** An upgrade that is about to begin: a database with migrations, and files that it lacks. */
export interface UpgradePlan {
  readonly state: DatabaseState
  readonly pending: PendingFiles
}

export type UpgradeStep =
  | { readonly kind: 'queued'; readonly reason: string }
  | { readonly kind: 'running'; readonly name: string; readonly seconds: number; readonly detail: string }
  | { readonly kind: 'waiting'; readonly waiting: WaitingForLock }
  | { readonly kind: 'done'; readonly name: string; readonly durationMs: number }

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
  /** Noted with each file that runs, and compared with the version that ran the others. */
  readonly appVersion?: string | undefined
  /** Called before a database that has migrations gets more, in one process at a time. If it throws, nothing is migrated. */
  beforeUpgrade?(plan: UpgradePlan): Promise<void>
  /** Told every few seconds of long migrations, and of each that is done. */
  onStep?(step: UpgradeStep): void
  /** How long a file waits for a lock before it fails. Default: five minutes. */
  readonly lockPatienceMs?: number | undefined
}

/**
 * Brings a database to the state this version of the product works with: the job queue's schema first, then each file
 * of db/migrations that has not run yet, in order, each in a transaction of its own. The functions of db/functions run in the
 * transaction of the last one, policies and triggers after it, table by table. Forward only. Several processes may call this at once; one works, the others wait.
 * Costs one query when there is nothing to do.
 *
 * @returns the names of the migrations that this call applied.
 * @throws Error whose message is one line for the operator: what is wrong and what to do. The database then stands as
 *   it was after the last whole migration.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const files = await readFiles(options)
  const client = await connect(options.url)
  try {
    const before = await readState(client)
    if (before && before.jobQueueRevision === jobQueueRevision) {
      const pending = findPending(files, before, options)
      if (pending.migrations.length === 0 && pending.functions.length === 0) return { applied: [] }
    }
    if (before && before.migrations.length > 0 && options.beforeUpgrade) await prepareUpgrade(client, files, options)
    return await migrateUnderLock(client, files, options)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * The files that a database lacks, without changing anything. Undefined: no migration ever ran there.
 *
 * @throws as {@link migrate}
 */
export async function planUpgrade(options: MigrateOptions): Promise<UpgradePlan | undefined> {
  const files = await readFiles(options)
  const client = await connect(options.url)
  try {
    const state = await readState(client)
    return state && { state, pending: findPending(files, state, options) }
  } finally {
    await client.end().catch(() => {})
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'earshot migrate',
    connectionTimeoutMillis: 8_000,
    keepAlive: true,
  })
  // A connection that breaks while idle must not end the process; the next query reports it.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw new Error(`Cannot connect to the database at ${describeTarget(client)}: ${describeError(error)}.`, {
      cause: error,
    })
  }
}

/** The lock stays until the connection ends: who waits for it finds the work done. */
async function prepareUpgrade(client: pg.Client, files: PendingFiles, options: MigrateOptions): Promise<void> {
  await takeLock(client, upgradeLock, 'another process upgrades the database: waiting for it', options)
  const state = await readState(client)
  if (!state) return
  const pending = findPending(files, state, options)
  // The job queue's own migrations change its tables, too.
  const isOld = pending.migrations.length > 0 || state.jobQueueRevision !== jobQueueRevision
  if (isOld) await options.beforeUpgrade?.({ state, pending })
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
  const reason = 'another process migrates the database, or a backup of it runs: waiting for it'
  await takeLock(client, migrationLock, reason, options)
  // Read again: the process that had the lock before may have done the work.
  let state = await readState(client)
  if (!state) {
    await createBookkeeping(client)
    state = await readState(client)
  }
  const nothing: DatabaseState = { migrations: [], functions: [], jobQueueRevision: null, isHalfRestored: false }
  const pending = findPending(files, state ?? nothing, options)
  await completeBookkeeping(client)
  if (state?.jobQueueRevision !== jobQueueRevision) await migrateJobQueue(options)
  if (options.skipAuth && pending.migrations.length > 0) await withdrawDefaultGrants(client)
  // No one uses a new database.
  if (state?.migrations.length) await applyByTable(client, pending, options)
  else await apply(client, pending, options)
  return { applied: pending.migrations.map((file) => file.name) }
}

/** Without a moment in which policies or triggers of two tables are locked. A process that dies meanwhile leaves them to the next. */
async function applyByTable(client: pg.Client, { migrations, functions }: PendingFiles, options: MigrateOptions) {
  const parts = functions.map(splitFunctions)
  const ofTables = parts.flatMap(({ tables }) => tables)
  await apply(client, { migrations, functions: parts.map((part) => part.functions) }, options, ofTables)
  for (const part of ofTables) {
    await apply(client, { migrations: [], functions: [part] }, options)
  }
}

async function apply(
  client: pg.Client,
  { migrations, functions }: PendingFiles,
  options: MigrateOptions,
  ofLockedTables: readonly TablePart[] = [],
) {
  const { log, onStep } = options
  const appVersion = options.appVersion ?? null
  const wait: LockWait = {
    patienceMs: options.lockPatienceMs ?? lockPatienceMs,
    onWait: (waiting) => {
      log.info({ ...waiting }, 'a migration waits for a lock')
      onStep?.({ kind: 'waiting', waiting })
    },
  }
  const last = migrations.at(-1)
  for (const file of migrations) {
    const startedAt = performance.now()
    const watch = watchMigration(client, options.url, (seconds, detail) => {
      log.info({ migration: file.name, seconds, detail }, 'still migrating')
      onStep?.({ kind: 'running', name: file.name, seconds, detail })
    })
    try {
      if (file.transactional) {
        const rest = file === last ? { functions, ofLockedTables } : { functions: [], ofLockedTables: [] }
        await applyInTransaction(client, file, rest.functions, {
          appVersion,
          wait,
          ofLockedTables: rest.ofLockedTables,
        })
      } else await applyAlone(client, file, appVersion)
    } finally {
      await watch.stop()
    }
    const durationMs = Math.round(performance.now() - startedAt)
    log.info({ migration: file.name, durationMs }, 'migrated')
    onStep?.({ kind: 'done', name: file.name, durationMs })
  }
  if (functions.length === 0) return
  if (!last?.transactional) await applyInTransaction(client, undefined, functions, { appVersion, wait })
  const whole = functions.filter(({ isPart }) => !isPart)
  if (whole.length > 0) log.info({ files: whole.map((file) => file.name) }, 'updated database functions')
}

async function takeLock(
  client: pg.Client,
  lock: number,
  reason: string,
  { log, onStep }: MigrateOptions,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock])
    if (rows[0]?.taken) return
    if (attempt === 10) {
      log.info({}, reason)
      onStep?.({ kind: 'queued', reason })
    }
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
