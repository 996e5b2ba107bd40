import type pg from 'pg'

interface Column {
  table: string
  tableComment: string | null
  column: string
  comment: string | null
  /** Name of the type, of an array's element where it is one. */
  type: string
  isArray: boolean
  labels: string[] | null
  isNullable: boolean
  hasDefault: boolean
  isGenerated: boolean
}

const columnsQuery = `
  select
    case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as "table",
    obj_description(c.oid, 'pg_class') as "tableComment",
    a.attname as "column",
    col_description(c.oid, a.attnum) as "comment",
    coalesce(element.typname, t.typname) as "type",
    element.oid is not null as "isArray",
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = coalesce(element.oid, t.oid)) as "labels",
    not a.attnotnull as "isNullable",
    a.atthasdef and a.attgenerated = '' or a.attidentity <> '' as "hasDefault",
    a.attgenerated <> '' as "isGenerated"
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  left join pg_type element on element.oid = t.typelem and t.typcategory = 'A'
  where n.nspname in ('public', 'app', 'auth') and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
  order by n.nspname <> 'public', n.nspname, c.relname, a.attnum`

const checksQuery = `
  select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as "table",
    a.attname as "column", pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
  where k.contype = 'c' and cardinality(k.conkey) = 1 and n.nspname in ('public', 'app', 'auth')`

const header = `// Generated from the migrated database by \`npm run schema\`. Do not edit.
import type { ColumnType } from 'kysely'

/** A column that the database fills when it is left out. */
type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>
/** A column that the database computes. */
type Computed<T> = ColumnType<T, never, never>

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
/** Written as an object or as JSON text. An array must be text: the driver would take it for an SQL array. */
type Json = ColumnType<JsonValue, string | Record<string, unknown>, string | Record<string, unknown>>
type Timestamp = ColumnType<Date, Date | string, Date | string>
`

/** What the driver makes of a value; \`database.ts\` reads bigint as a number. */
const typeOf: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  uuid: 'string',
  xid8: 'string',
  inet: 'string',
  tsvector: 'string',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
  date: 'Timestamp',
  timestamp: 'Timestamp',
  timestamptz: 'Timestamp',
}

/**
 * Writes the TypeScript for Kysely of every table in schemas public, app and auth.
 *
 * @param client connected to a migrated database.
 * @throws when a column has an unknown type.
 */
export async function generateTypes(client: pg.Client): Promise<string> {
  const { rows: columns } = await client.query<Column>(columnsQuery)
  const allowed = await readAllowedValues(client)
  const tables = Map.groupBy(columns, (column) => column.table)
  const interfaces = [...tables].map(([table, members]) => {
    const lines = members.flatMap((column) => [
      ...docComment(column.comment, '  '),
      `  ${column.column}: ${columnType(column, allowed.get(`${table} ${column.column}`))}`,
    ])
    return [
      ...docComment(members[0]?.tableComment ?? null, ''),
      `interface ${interfaceName(table)} {`,
      ...lines,
      '}',
    ].join('\n')
  })
  const names = [...tables.keys()].map(
    (table) => `  ${table.includes('.') ? `'${table}'` : table}: ${interfaceName(table)}`,
  )
  return `${[header, ...interfaces.map((text) => `${text}\n`), `export interface DB {\n${names.join('\n')}\n}`].join('\n')}\n`
}

/** Values of columns checked with `column in ('a', 'b')`, by table and column. */
async function readAllowedValues(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; column: string; definition: string }>(checksQuery)
  const allowed = new Map<string, string[]>()
  for (const { table, column, definition } of rows) {
    const list = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition)
    if (list?.[1] !== column) continue
    allowed.set(
      `${table} ${column}`,
      [...(list[2] ?? '').matchAll(/'((?:[^']|'')*)'::\w+/g)].map((match) => (match[1] ?? '').replaceAll("''", "'")),
    )
  }
  return allowed
}

function columnType(column: Column, allowed: string[] | undefined): string {
  const values = column.labels ?? allowed
  const single = values ? values.map((value) => `'${value.replaceAll("'", "\\'")}'`).join(' | ') : typeOf[column.type]
  if (single === undefined) {
    throw new Error(
      `Column ${column.table}.${column.column} has type ${column.type}: say in generate-types.ts how it is read.`,
    )
  }
  const type = column.isArray ? `${single.includes('|') ? `(${single})` : single}[]` : single
  const nullable = column.isNullable ? `${type} | null` : type
  if (column.isGenerated) return `Computed<${nullable}>`
  return column.hasDefault ? `Generated<${nullable}>` : nullable
}

function interfaceName(table: string): string {
  return table.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function docComment(comment: string | null, indent: string): string[] {
  return comment === null ? [] : [`${indent}/** ${comment.replaceAll('*/', '* /')} */`]
}
