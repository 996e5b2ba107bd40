import { once } from 'node:events'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { type ArchivedTable, damaged, type Manifest, type Sequences } from '../archive/format.ts'
import { BackupError } from '../backup-error.ts'
import { readRows } from './copy-out.ts'
import { listTables, quoteTable } from './snapshot.ts'

const decompress = promisify(zstdDecompress)

/** Fills the empty tables of a database, in one transaction. */
export interface Loading {
  /** Adds a part of a table's rows. The parts of a table come one after another. */
  add(table: string, part: string, compressed: Buffer): Promise<void>
  setSequences(sequences: Sequences): Promise<void>
  /** Restores indexes and foreign keys, compares all rows with their checksums, and commits. @throws BackupError */
  finish(manifest: Manifest): Promise<void>
}

/**
 * @param client of a database that has run migrations and nothing else: rows that it has are deleted.
 * @throws BackupError when the database lacks a table or a column.
 */
export async function beginLoading(client: pg.Client, tables: readonly ArchivedTable[]): Promise<Loading> {
  await client.query("begin; set local maintenance_work_mem = '256MB'; set local search_path = pg_catalog")
  await requireColumns(client, tables)
  const putBack = await takeAwayConstraints(client)
  // Migrations add a few rows of their own, such as plans; the archive has them, as they are now.
  for (const { name } of await listTables(client)) await client.query(`delete from ${quoteTable(name)}`)
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]))
  let current: { table: string; stream: CopyStreamQuery; failure: Promise<never> } | undefined

  async function endTable(): Promise<void> {
    if (!current) return
    const { stream, failure } = current
    current = undefined
    stream.end()
    await Promise.race([once(stream, 'finish'), failure])
  }

  function beginTable(table: string, columns: readonly string[]) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const stream = client.query(copyFrom(`copy ${quoteTable(table)} (${list}) from stdin`))
    const failure = new Promise<never>((_, reject) => {
      stream.on('error', (error) => {
        reject(new BackupError(`The rows of ${table} can’t be restored: ${readErrorMessage(error)}.`))
      })
    })
    // Reported where it is awaited.
    failure.catch(() => {})
    return { table, stream, failure }
  }

  return {
    add: async (table, part, compressed) => {
      const columns = columnsOf.get(table)
      if (!columns) throw damaged(part)
      const rows = await decompress(compressed).catch(() => {
        throw damaged(part)
      })
      if (current?.table !== table) {
        await endTable()
        current = beginTable(table, columns)
      }
      if (!current.stream.write(rows)) await Promise.race([once(current.stream, 'drain'), current.failure])
    },

    setSequences: async (sequences) => {
      await endTable()
      for (const { name, lastValue, isCalled } of sequences) {
        await client.query('select setval(to_regclass($1), $2::bigint, $3)', [name, lastValue, isCalled])
      }
    },

    finish: async (manifest) => {
      await endTable()
      await putBack()
      await compareRows(client, tables, manifest)
      await client.query('commit')
    },
  }
}

async function requireColumns(client: pg.Client, tables: readonly ArchivedTable[]): Promise<void> {
  const found = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]))
  for (const { name, columns } of tables) {
    const missing = columns.find((column) => !found.get(name)?.includes(column))
    if (missing === undefined) continue
    throw new BackupError(
      `This version has no column ${missing} of ${name}. Restore the archive with the version that made it, and upgrade then.`,
    )
  }
}

/**
 * Takes away what would check or follow each row: foreign keys, triggers, and indexes that no constraint needs, which are
 * made faster afterwards.
 *
 * @returns puts all of it back; foreign keys are then checked for all rows.
 */
async function takeAwayConstraints(client: pg.Client): Promise<() => Promise<void>> {
  const schemas = `('auth', 'app', 'public', 'graphile_worker')`
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select con.conrelid::regclass::text as table, quote_ident(con.conname) as name, pg_get_constraintdef(con.oid) as definition
     from pg_constraint con join pg_namespace n on n.oid = con.connamespace
     where con.contype = 'f' and con.conparentid = 0 and n.nspname in ${schemas} order by con.oid`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ${schemas} and c.relkind = 'r'
       and not exists (select from pg_constraint con where con.conindid = i.indexrelid)
     order by i.indexrelid`,
  )
  const { rows: triggered } = await client.query<{ table: string }>(
    `select distinct t.tgrelid::regclass::text as table from pg_trigger t
     join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where not t.tgisinternal and t.tgenabled = 'O' and n.nspname in ${schemas}`,
  )
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes) await client.query(definition)
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`).catch((error: unknown) => {
        throw new BackupError(`Rows of ${table} name rows that don’t exist: ${readErrorMessage(error)}.`)
      })
    }
    for (const { table } of triggered) await client.query(`alter table ${table} enable trigger user`)
  }
}

async function compareRows(client: pg.Client, tables: readonly ArchivedTable[], manifest: Manifest): Promise<void> {
  const wanted = new Map(manifest.tables.map((table) => [table.name, table]))
  for (const table of tables) {
    const { rows, sum } = await readRows(client, table, () => {})
    const archived = wanted.get(table.name)
    if (archived?.rows === rows && archived.sum === sum) continue
    throw new BackupError(
      `The rows of ${table.name} differ from the archive after they were restored (${rows}, ${archived?.rows}). Nothing was kept; use another archive.`,
    )
  }
}
