import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

const reason = 'the doctor checks the whole instance'

/** Rows of a query that any login of the app may make. */
function read<Row>(database: Database, query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return database.asSystem(reason, async (tx) => (await query.execute(tx)).rows)
}

async function readOne<Row>(database: Database, query: ReturnType<typeof sql<Row>>): Promise<Row> {
  const [row] = await read(database, query)
  if (!row) throw new Error('the database gave no row')
  return row
}

export async function readClock(database: Database): Promise<Date> {
  return (await readOne(database, sql<{ at: Date }>`select clock_timestamp() as at`)).at
}

export async function readTimeZone(database: Database): Promise<string> {
  return (await readOne(database, sql<{ zone: string }>`select current_setting('TimeZone') as zone`)).zone
}

export async function readDatabaseBytes(database: Database): Promise<number> {
  return (await readOne(database, sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`)).bytes
}

/** Settings of the database server by name. */
export async function readServerSettings(database: Database): Promise<Readonly<Record<string, string>>> {
  const rows = await read(
    database,
    sql<{ name: string; setting: string }>`
      select case name when 'server_version_num' then 'version_num' else name end as name, setting from pg_settings
      where name in ('server_version', 'server_version_num', 'autovacuum', 'track_counts', 'fsync', 'full_page_writes',
        'synchronous_commit', 'data_checksums')`,
  )
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

export function listSchemaFiles(database: Database) {
  return read(
    database,
    sql<{ name: string; checksum: string; isFinished: boolean }>`
      select name, checksum, is_finished as "isFinished" from app.list_schema_files()`,
  )
}

export async function readQueueRevision(database: Database): Promise<number | null> {
  return (await readOne(database, sql<{ id: number | null }>`select max(id) as id from graphile_worker.migrations`)).id
}

export async function listMissingExtensions(database: Database, wanted: readonly string[]): Promise<string[]> {
  const rows = await read(
    database,
    sql<{ name: string }>`
      select name from unnest(${[...wanted]}::text[]) as w (name)
      where not exists (select from pg_extension e where e.extname = w.name) order by name`,
  )
  return rows.map(({ name }) => name)
}

/** @returns `limit`: what logins without powers may open. `processes`: those of Earshot that run. */
export function readConnections(database: Database) {
  return readOne(
    database,
    sql<{ limit: number; used: number; processes: number }>`
      select current_setting('max_connections')::integer
          - current_setting('superuser_reserved_connections')::integer as "limit",
        (select sum(numbackends)::integer from pg_stat_database) as used,
        (select count(*)::integer from app.monitored_processes
         where ended_at is null and last_seen_at > now() - interval '3 minutes') as processes`,
  )
}

/** Machines on which processes ran in the last minutes. */
export async function countHosts(database: Database): Promise<number> {
  const { hosts } = await readOne(
    database,
    sql<{ hosts: number }>`
      select count(distinct host)::integer as hosts from app.monitored_processes
      where ended_at is null and last_seen_at > now() - interval '3 minutes'`,
  )
  return hosts
}

/**
 * What the app's login may do beyond its rows.
 *
 * @param isOwner this connection is the owner's, and the app has the login that the start made.
 * @returns undefined: the start has not made it yet.
 */
export async function readLogin(database: Database, isOwner: boolean) {
  const [login] = await read(
    database,
    sql<{ login: string; powers: string[] }>`
      select r.rolname as login, array_remove(array[
          case when r.rolsuper then 'is a superuser' end,
          case when r.rolbypassrls then 'passes row-level security' end,
          case when r.rolcreaterole then 'can create roles' end,
          case when exists (
            select from unnest(array['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program']) as f (name)
            where pg_has_role(r.rolname, f.name, 'MEMBER')) then 'reaches files of the server' end], null) as powers
      from pg_roles r where r.rolname = case when ${isOwner} then 'earshot_app' else session_user end`,
  )
  return login
}

/** Tables without row-level security. */
export async function listOpenTables(database: Database): Promise<string[]> {
  const rows = await read(
    database,
    sql<{ name: string }>`
      select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'app', 'auth') and c.relkind in ('r', 'p') and not c.relrowsecurity order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Tables with many dead rows that no vacuum took away for a day, the worst first. */
export function listNeglectedTables(database: Database) {
  return read(
    database,
    sql<{ name: string; dead: number }>`
      select schemaname || '.' || relname as name, n_dead_tup as dead from pg_stat_user_tables
      where n_dead_tup > 20000 + 0.4 * n_live_tup
        and coalesce(greatest(last_autovacuum, last_vacuum), '-infinity') < now() - interval '1 day'
      order by n_dead_tup desc limit 5`,
  )
}

export function readCollationVersions(database: Database) {
  return readOne(
    database,
    sql<{ stored: string | null; actual: string | null }>`
      select datcollversion as stored, pg_database_collation_actual_version(oid) as actual
      from pg_database where datname = current_database()`,
  )
}

export async function listInvalidIndexes(database: Database): Promise<string[]> {
  const rows = await read(
    database,
    sql<{ name: string }>`
      select indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace::regnamespace::text in ('public', 'app', 'auth') order by 1`,
  )
  return rows.map(({ name }) => name)
}
