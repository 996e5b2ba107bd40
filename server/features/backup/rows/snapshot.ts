import pg from 'pg'
import { migrationLock } from '#server/platform/database/migrate.ts'
import type { ArchivedTable, Header, Sequences } from '../archive/format.ts'
import { BackupBusyError, BackupError } from '../backup-error.ts'
import { connectAsOwner } from './owner-connection.ts'

/**
 * While a session holds this lock, no job removes files of the storage: `app.is_backup_running` looks for it. It also
 * lets one backup run at a time.
 */
const backupLock = 7_305_211_847

/** The instance at one moment, however long it is read. */
export interface Snapshot {
  readonly client: pg.Client
  readonly tables: readonly ArchivedTable[]
  readonly migrations: Header['migrations']
  readonly jobQueueRevision: number
  readonly serverVersion: string
  readonly estimatedBytes: Header['estimatedBytes']
  /** @throws BackupError when the connection that kept files from being removed was lost meanwhile. */
  requireHold(): Promise<void>
  close(): Promise<void>
}

/**
 * Begins a transaction that sees the instance as it is now, and keeps files that it names from being removed.
 *
 * @throws BackupError when a migration or another backup runs, or the database has no instance.
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  // A connection of its own: the lock must be there before the snapshot is.
  const hold = await connectAsOwner(url)
  let client: pg.Client | undefined
  try {
    await takeLocks(hold)
    const tables = await listTables(hold)
    client = await connectAsOwner(url)
    await client.query('begin isolation level repeatable read read only')
    // The first statements that take no snapshot: from here on no table changes its shape, as pg_dump does it.
    const names = tables.map(({ name }) => quoteTable(name)).join(', ')
    await client.query(`lock table ${names}, app.schema_migrations in access share mode`)
    const found = await readInstance(client)
    const reading = client
    return {
      client: reading,
      tables,
      ...found,
      requireHold: async () => {
        await hold.query('select 1').catch(() => {
          throw new BackupError('The connection to the database was lost during the backup. Make it again.')
        })
      },
      close: async () => {
        await reading.end().catch(() => {})
        await hold.end().catch(() => {})
      },
    }
  } catch (error) {
    await client?.end().catch(() => {})
    await hold.end().catch(() => {})
    throw error
  }
}

async function takeLocks(hold: pg.Client): Promise<void> {
  const { rows } = await hold.query<{ isThere: boolean; isStill: boolean; isFree: boolean }>(
    `select to_regclass('app.schema_migrations') is not null as "isThere",
      pg_try_advisory_lock_shared($1) as "isStill", pg_try_advisory_lock($2) as "isFree"`,
    [migrationLock, backupLock],
  )
  const [lock] = rows
  if (!lock?.isThere)
    throw new BackupError('There is nothing to back up: Earshot was not started on this database yet.')
  if (!lock.isStill) throw new BackupError('The database is being migrated. Make the backup afterwards.')
  if (!lock.isFree) throw new BackupBusyError('Another backup is running. Wait for its end.')
}

/**
 * Tables that a backup leaves out: those in which migrations are noted, the switch for maintenance (a restored instance takes
 * writes), and what belongs to the lines of the log, which are partitions of app.app_logs in the schema logs. A restored
 * app.log_parts would name partitions that do not exist, and no line could be stored.
 */
const leftOut = [
  'app.schema_migrations',
  'graphile_worker.migrations',
  'app.read_only_periods',
  'app.log_parts',
  'app.log_blocks',
  'app.log_words',
  'app.log_writers',
]

/** Tables of the instance by name, but those that a backup leaves out. Generated columns are left out. */
export async function listTables(client: pg.Client): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable>(
    `select n.nspname || '.' || c.relname as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('auth', 'app', 'public', 'graphile_worker')
       and n.nspname || '.' || c.relname <> all ($1)
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by 1`,
    [leftOut],
  )
  return rows
}

async function readInstance(client: pg.Client) {
  const migrations = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `select name, checksum, finished_at is not null as finished from app.schema_migrations
     where name not like 'functions/%' order by name`,
  )
  if (migrations.rows.some(({ finished }) => !finished)) {
    throw new BackupError(
      'A migration or a restore of this database was not finished. Finish it, then make the backup.',
    )
  }
  const { rows } = await client.query<{ revision: number; version: string; rowBytes: string; fileBytes: string }>(
    `select (select max(id) from graphile_worker.migrations) as revision,
       current_setting('server_version') as version,
       (select coalesce(sum(pg_table_size(c.oid)), 0) from pg_class c
        where c.relkind = 'r' and c.relnamespace in (select oid from pg_namespace where nspname in ('auth', 'app', 'public', 'graphile_worker')))
         as "rowBytes",
       (select coalesce(sum(bytes), 0) from public.uploads where state <> 'refused')
         + (select coalesce(sum(bytes), 0) from public.exports where storage_key is not null) as "fileBytes"`,
  )
  const [found] = rows
  if (!found) throw new Error('the database gave no row')
  return {
    migrations: migrations.rows.map(({ name, checksum }) => ({ name, checksum })),
    jobQueueRevision: found.revision,
    serverVersion: found.version,
    estimatedBytes: { rows: Number(found.rowBytes), files: Number(found.fileBytes) },
  }
}

/** Sequences, which no snapshot covers: read after the rows, they are not behind any of them. */
export async function readSequences(client: pg.Client): Promise<Sequences> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name from pg_sequences
     where schemaname in ('auth', 'app', 'public', 'graphile_worker') order by 1`,
  )
  const sequences: Sequences = []
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value as "lastValue", is_called as "isCalled" from ${name}`,
    )
    if (states[0]) sequences.push({ name, ...states[0] })
  }
  return sequences
}

export function quoteTable(name: string): string {
  return name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.')
}
