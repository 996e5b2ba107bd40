import type pg from 'pg'
import type { MigrationFile } from '#server/platform/database/migration-files.ts'
import { type LockMode, type LockWork, lockModes } from '#server/platform/database/migration-locks.ts'

/** What a migration did to a table that was there before it. */
export interface MeasuredLock {
  readonly table: string
  readonly mode: LockMode
  readonly work: LockWork
}

export interface MeasuredMigration {
  readonly locks: readonly MeasuredLock[]
  /** Columns, keyed `schema.table.column`, before and after. */
  readonly before: ReadonlyMap<string, MeasuredColumn>
  readonly after: ReadonlyMap<string, MeasuredColumn>
  /** Indexes and checked constraints that tables of before have got, by table. */
  readonly built: readonly { readonly table: string; readonly name: string; readonly kind: 'index' | 'constraint' }[]
}

interface MeasuredColumn {
  readonly type: string
  readonly isRequired: boolean
  readonly hasDefault: boolean
}

/** Runs a migration in a transaction and looks at its locks and at what it has changed before it commits. */
export async function measureMigration(client: pg.Client, file: MigrationFile): Promise<MeasuredMigration> {
  await client.query('begin; set local search_path = public')
  try {
    await client.query('insert into app.schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum])
    const before = await readColumns(client)
    await client.query(`
      create or replace function pg_temp.count_changed(p_table oid) returns bigint language sql as $$
        select pg_stat_get_xact_tuples_inserted($1) + pg_stat_get_xact_tuples_updated($1) + pg_stat_get_xact_tuples_deleted($1) $$;
      create or replace function pg_temp.count_read(p_table oid) returns bigint language sql as $$
        select pg_stat_get_xact_tuples_returned($1) + pg_stat_get_xact_tuples_fetched($1) $$;
      create temporary table seen_tables on commit drop as
      select c.oid, format('%s.%s', n.nspname, c.relname) as name, c.relfilenode,
        -- Sums of the session that the server has not stored yet count earlier transactions too.
        pg_temp.count_changed(c.oid) as changed, pg_temp.count_read(c.oid) as read
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname in ('auth', 'app', 'public')`)
    await client.query(`
      create temporary table seen_objects on commit drop as
      select indexrelid as oid from pg_index union all select oid from pg_constraint where convalidated`)
    await client.query(file.sql)
    await client.query('reset role')
    const { rows } = await client.query<{
      table: string
      modes: string[]
      isRewritten: boolean
      changed: string
      read: string
    }>(`
      select s.name as table, array_agg(l.mode) as modes,
        coalesce(c.relfilenode <> s.relfilenode, false) as "isRewritten",
        pg_temp.count_changed(s.oid) - s.changed as changed, pg_temp.count_read(s.oid) - s.read as read
      from seen_tables s
      join pg_locks l on l.relation = s.oid and l.pid = pg_backend_pid() and l.locktype = 'relation'
      left join pg_class c on c.oid = s.oid
      where s.name <> 'app.schema_migrations'
      group by s.oid, s.name, c.relfilenode, s.relfilenode, s.changed, s.read order by s.name`)
    const { rows: built } = await client.query<MeasuredMigration['built'][number]>(`
      select s.name as table, i.indexrelid::regclass::text as name, 'index' as kind
      from pg_index i join seen_tables s on s.oid = i.indrelid
      where i.indexrelid not in (select oid from seen_objects)
      union all
      select s.name, k.conname, 'constraint' from pg_constraint k join seen_tables s on s.oid = k.conrelid
      where k.contype in ('c', 'f') and k.convalidated and k.oid not in (select oid from seen_objects)
      order by 1, 2`)
    const after = await readColumns(client)
    await client.query('update app.schema_migrations set finished_at = clock_timestamp() where name = $1', [file.name])
    await client.query('commit')
    const locks = rows.flatMap(({ table, modes, isRewritten, changed, read }) => {
      const mode = findStrongest(modes)
      if (mode === undefined) return []
      const work = isRewritten
        ? 'rewrites'
        : Number(changed) > 0
          ? 'changes rows'
          : Number(read) > 0
            ? 'reads rows'
            : 'brief'
      return [{ table, mode, work } as const]
    })
    return { locks, before, after, built }
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Undefined: none that keeps others from working. */
function findStrongest(modes: readonly string[]): LockMode | undefined {
  // AccessExclusiveLock: access exclusive.
  const words = modes.map((mode) =>
    mode
      .replace(/Lock$/, '')
      .replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
      .toLowerCase(),
  )
  return lockModes.findLast((mode) => words.includes(mode))
}

async function readColumns(client: pg.Client): Promise<Map<string, MeasuredColumn>> {
  const { rows } = await client.query<MeasuredColumn & { name: string }>(`
    select format('%s.%s.%s', n.nspname, c.relname, a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as "isRequired", a.atthasdef or a.attidentity <> '' as "hasDefault"
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('auth', 'app', 'public') and a.attnum > 0 and not a.attisdropped
      and c.relpersistence = 'p'`)
  return new Map(rows.map(({ name, ...column }) => [name, column]))
}
