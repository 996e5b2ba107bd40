import type { ColumnType, Selectable } from 'kysely'
import type { DB } from './schema.generated.ts'

/*
 * Rows of raw SQL, typed by the database: a column that is renamed, or that becomes nullable, no longer compiles where a
 * query returns it. Rejected: Kysely's query builder, which types what it builds and hides the plan that was measured.
 */

type Columns<Table extends keyof DB> = Selectable<DB[Table]>

/** Columns of a table under their own names: `f.id, f.page_url`. */
export type Row<Table extends keyof DB, Names extends keyof Columns<Table>> = Pick<Columns<Table>, Names>

/** Columns of a table under names of the query's own: `f.page_url as "pageUrl"` is `{ pageUrl: 'page_url' }`. */
export type RowAs<Table extends keyof DB, Names extends Readonly<Record<string, keyof Columns<Table>>>> = {
  -readonly [Name in keyof Names]: Columns<Table>[Names[Name]]
}

/** Columns of a table that an outer join may find no row of. */
export type Outer<R> = { [Name in keyof R]: R[Name] | null }

/** Columns that a condition of the query, or a check on the table, keeps from being null: say which beside it. */
export type Present<R> = { [Name in keyof R]: NonNullable<R[Name]> }

/**
 * A column whose content the code knows better than the database: what is in a jsonb, which texts an expression makes.
 * Whether it may be null, the database says.
 */
export type Refined<Table extends keyof DB, Name extends keyof DB[Table], Content> = Content | NullOf<DB[Table][Name]>

// JSON has a null of its own: whether a jsonb column may be null stands in what it is declared as, not in what is read.
type NullOf<Declared> = Declared extends null
  ? null
  : Declared extends ColumnType<infer Read, infer _Insert, infer _Update>
    ? [Read] extends [null]
      ? null
      : never
    : never
