import { jobQueueRevision } from '#server/platform/database/migrate.ts'
import {
  functionsFolder,
  migrationsFolder,
  readFunctionFiles,
  readMigrationFiles,
} from '#server/platform/database/migration-files.ts'
import { type Check, failed, notApplicable, ok, type Verdict, warning } from '../check.ts'
import * as queries from '../doctor.queries.ts'

const oldestMajor = 15
const recommendedMajor = 16
/** Beside the pool: workers, locks and listeners of one process. */
const otherConnections = 13

export const databaseChecks: readonly Check[] = [
  {
    id: 'database-reachable',
    area: 'Database',
    title: 'Connection to the database',
    remedy:
      'Check DATABASE_URL, that the server runs, and its firewall. The built-in database writes DATA_DIR/postgres.log.',
    run: async ({ database, databaseProblem }) => {
      if (!database) return failed(`The database can’t be reached: ${databaseProblem ?? 'no reason given'}.`)
      await database.ping()
      return ok('The database answers.')
    },
  },
  {
    id: 'database-version',
    area: 'Database',
    title: 'Version of PostgreSQL',
    remedy: 'Upgrade the database server to a supported major version of PostgreSQL.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { version_num: number = '0', server_version: name = '' } = await queries.readServerSettings(database)
      return judgeVersion(Number(number), name)
    },
  },
  {
    id: 'migrations',
    area: 'Database',
    title: 'Migrations',
    remedy: 'Restart Earshot, which runs migrations. If one failed, the log of that start says why.',
    needsDatabase: true,
    run: async ({ database, config }) => {
      const files = await readMigrationFiles(migrationsFolder, { skipAuth: config.supabase !== null })
      const rows = new Map((await queries.listSchemaFiles(database)).map((row) => [row.name, row]))
      const known = new Set(files.map(({ name }) => name))
      const newer = [...rows.keys()].find(
        (name) => !name.startsWith('functions/') && !name.endsWith('_auth.sql') && !known.has(name),
      )
      if (newer !== undefined) return failed(`The database was migrated by a newer version: ${newer} is unknown here.`)
      const pending = files.filter(({ name }) => !rows.get(name)?.isFinished)
      if (pending.length > 0) return failed(`${pending[0]?.name} and ${pending.length - 1} more have not run.`)
      const edited = files.find(({ name, checksum }) => rows.get(name)?.checksum !== checksum)
      if (edited) return failed(`${edited.name} was changed after it ran.`)
      return ok(`All ${files.length} migrations have run.`)
    },
  },
  {
    id: 'database-functions',
    area: 'Database',
    title: 'Functions of the database',
    remedy: 'Restart Earshot, which applies changed functions, triggers and policies.',
    needsDatabase: true,
    run: async ({ database, config }) => {
      const files = await readFunctionFiles(
        functionsFolder,
        await readMigrationFiles(migrationsFolder, { skipAuth: config.supabase !== null }),
      )
      const rows = new Map((await queries.listSchemaFiles(database)).map(({ name, checksum }) => [name, checksum]))
      const stale = files.filter(({ name, checksum }) => rows.get(name) !== checksum)
      if (stale.length === 0) return ok('All functions are those of this version.')
      return failed(`${stale[0]?.name} and ${stale.length - 1} more are those of another version.`)
    },
  },
  {
    id: 'job-queue-version',
    area: 'Database',
    title: 'Version of the job queue',
    remedy: 'Restart Earshot, which brings the job queue up to date.',
    needsDatabase: true,
    run: async ({ database }) => {
      const revision = await queries.readQueueRevision(database)
      if (revision === jobQueueRevision) return ok(`The job queue has revision ${revision}.`)
      return failed(`The job queue has revision ${revision ?? 'none'}, and this version needs ${jobQueueRevision}.`)
    },
  },
  {
    id: 'extensions',
    area: 'Database',
    title: 'Extensions of the database',
    remedy: 'As the database’s owner, run `create extension` with the missing name, then restart Earshot.',
    needsDatabase: true,
    run: async ({ database }) => {
      const missing = await queries.listMissingExtensions(database, ['pg_trgm', 'btree_gin'])
      if (missing.length === 0) return ok('pg_trgm and btree_gin are installed.')
      return failed(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing: search is slow or fails.`)
    },
  },
  {
    id: 'connection-limit',
    area: 'Database',
    title: 'Connection limit of the database',
    remedy: 'Raise max_connections of the server, or lower DATABASE_MAX_CONNECTIONS.',
    needsDatabase: true,
    run: async ({ database, config }) => {
      const { limit, processes } = await queries.readConnections(database)
      const needed = Math.max(1, processes) * (config.databaseMaxConnections + otherConnections)
      const sentence = `${Math.max(1, processes)} processes can open ${needed} connections, and the server allows ${limit}.`
      return needed > limit ? warning(sentence) : ok(sentence)
    },
  },
  {
    id: 'connections-used',
    area: 'Database',
    title: 'Connections in use',
    remedy: 'Find out who holds them in pg_stat_activity. Raise max_connections, or use PgBouncer.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { limit, used } = await queries.readConnections(database)
      return judgeConnections(used, limit)
    },
  },
  {
    id: 'login-powers',
    area: 'Security',
    title: 'Powers of the database login',
    remedy: 'Give DATABASE_URL a login of its own without powers, and the present one to DATABASE_MIGRATION_URL.',
    needsDatabase: true,
    run: async ({ database, config }) => {
      const found = await queries.readLogin(database, config.databaseUrl === null)
      if (!found) return notApplicable('Earshot makes its login at the next start.')
      const { login, powers } = found
      if (powers.length === 0) return ok(`The login ${login} has no power over the database server.`)
      return warning(`The login ${login} ${powers.join(', ')}.`)
    },
  },
  {
    id: 'row-level-security',
    area: 'Security',
    title: 'Row-level security',
    remedy: 'As the owner, run `alter table … enable row level security` and `force row level security` for the table.',
    needsDatabase: true,
    run: async ({ database }) => {
      const open = await queries.listOpenTables(database)
      if (open.length === 0) return ok('Row-level security is on for all tables.')
      return failed(`Row-level security is off for ${open.slice(0, 5).join(', ')}: organisations could see each other.`)
    },
  },
]

export function judgeConnections(used: number, limit: number): Verdict {
  const sentence = `${used} of ${limit} connections are open.`
  if (used >= 0.95 * limit) return failed(sentence)
  return used >= 0.8 * limit ? warning(sentence) : ok(sentence)
}

/** @param number e.g. 180004 */
export function judgeVersion(number: number, name: string): Verdict {
  const major = Math.floor(number / 10_000)
  if (major < oldestMajor) return failed(`PostgreSQL ${name} is too old: version ${oldestMajor} or newer is needed.`)
  if (major < recommendedMajor) return warning(`PostgreSQL ${name} gets updates until November 2027 only.`)
  return ok(`PostgreSQL ${name}.`)
}
