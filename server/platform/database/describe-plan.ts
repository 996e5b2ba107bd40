import pg from 'pg'
import type { UpgradePlan } from './migrate.ts'
import { blocksWriters, readNotes, type TableLock } from './migration-locks.ts'

/** A table as large as it is now. */
interface TableSize {
  /** As the server last counted them. */
  readonly rows: number
  readonly bytes: number
}

export interface PlannedMigration {
  readonly name: string
  /** Undefined: not known. */
  readonly locks: readonly (TableLock & { readonly size: TableSize })[] | undefined
}

/** What an upgrade will do. */
export interface DescribedPlan {
  readonly fromVersion: string | null
  readonly from: string
  readonly migrations: readonly PlannedMigration[]
  /** Of tables that are rewritten, beside which their old form stays until the end. */
  readonly rewrittenBytes: number
}

/** Reads the notes of pending migrations and the sizes of the tables that they name. */
export async function describePlan({ state, pending }: UpgradePlan, url: string): Promise<DescribedPlan> {
  const notes = pending.migrations.map(({ name, sql }) => ({ name, locks: readNotes(name, sql).locks }))
  const tables = new Set(notes.flatMap(({ locks = [] }) => locks.map(({ table }) => table)))
  const sizes = await readSizes(url, [...tables])
  const sizeOf = (table: string) => sizes.get(table) ?? { rows: 0, bytes: 0 }
  const rewritten = new Set(
    notes.flatMap(({ locks = [] }) => locks.filter(({ work }) => work === 'rewrites').map(({ table }) => table)),
  )
  const ran = [...state.migrations, ...state.functions].filter(({ finishedAt }) => finishedAt !== null)
  const latest = ran.toSorted((a, b) => (a.finishedAt ?? '').localeCompare(b.finishedAt ?? '')).at(-1)
  return {
    fromVersion: latest?.appVersion ?? null,
    from: state.migrations.at(-1)?.name ?? '',
    migrations: notes.map(({ name, locks }) => ({
      name,
      locks: locks?.map((lock) => ({ ...lock, size: sizeOf(lock.table) })),
    })),
    rewrittenBytes: [...rewritten].reduce((sum, table) => sum + sizeOf(table).bytes, 0),
  }
}

/** Whether visitors and members wait for longer the larger the table is. */
export function isLong({ mode, work, smallBecause }: TableLock): boolean {
  return blocksWriters(mode) && work !== 'brief' && smallBecause === null
}

async function readSizes(url: string, tables: readonly string[]): Promise<Map<string, TableSize>> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'earshot migrate',
    connectionTimeoutMillis: 8_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
      // A table that was never analysed has -1 rows.
      `select name, greatest(c.reltuples, 0)::bigint::text as rows, pg_total_relation_size(c.oid)::text as bytes
       from unnest($1::text[]) as name join pg_class c on c.oid = to_regclass(name)`,
      [tables],
    )
    return new Map(rows.map(({ name, rows: count, bytes }) => [name, { rows: Number(count), bytes: Number(bytes) }]))
  } finally {
    await client.end().catch(() => {})
  }
}
