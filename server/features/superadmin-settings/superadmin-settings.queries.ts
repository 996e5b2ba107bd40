import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

interface TableSize {
  readonly name: string
  /** As PostgreSQL estimates it: counting would read the whole table. -1: never analysed. */
  readonly estimatedRows: number
  readonly bytes: number
}

/** The server's version, and the tables, largest first. */
export async function describeDatabase(database: Database): Promise<{ version: string; tables: TableSize[] }> {
  return database.asSystem('the catalogue belongs to no organisation', async (tx) => {
    const version = await sql<{ version: string }>`select version() as version`.execute(tx)
    const tables = await sql<TableSize>`
      select n.nspname || '.' || c.relname as name, c.reltuples::float8 as "estimatedRows",
             pg_total_relation_size(c.oid)::float8 as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'app', 'auth', 'graphile_worker')
      order by bytes desc, name
    `.execute(tx)
    return { version: version.rows[0]?.version ?? '', tables: tables.rows }
  })
}
