import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the product's own migrations stand. */
export const migrationsFolder = fileURLToPath(new URL('../../../db/migrations', import.meta.url))

/** Where the product's functions, triggers and policies stand. */
export const functionsFolder = fileURLToPath(new URL('../../../db/functions', import.meta.url))

interface SqlFile {
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text with line feeds alone, so that a checkout with CRLF counts as the same file. */
  readonly checksum: string
}

/** One file of SQL that takes the database one step forward. */
export interface MigrationFile extends SqlFile {
  /** False for a file whose first line is `-- no-transaction`; it then contains a single statement. */
  readonly transactional: boolean
}

/** One file of functions, triggers and policies, which may run any number of times. Named `functions/name.sql`. */
export interface FunctionFile extends SqlFile {
  /** Whether further parts of the file follow: it has not run yet. */
  readonly isPart?: boolean
}

/**
 * Reads the migrations of a folder, in order.
 *
 * @param options.skipAuth leaves out `*_auth.sql`, for a database in which Supabase made that schema.
 * @throws when a name is not `NNNN_name.sql`, or the numbers are not 1, 2, 3, …
 */
export async function readMigrationFiles(
  folder: string,
  options: { skipAuth?: boolean | undefined } = {},
): Promise<MigrationFile[]> {
  const names = await listSql(folder)
  for (const [index, name] of names.entries()) {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (number === undefined) throw new Error(`Migration ${name} must be named like 0001_name.sql.`)
    if (Number(number) !== index + 1) {
      throw new Error(
        `Migration ${name} stands where number ${String(index + 1).padStart(4, '0')} was expected: the numbers must run ` +
          'without gap or repetition. Reinstall this version of Earshot.',
      )
    }
  }
  const wanted = names.filter((name) => !(options.skipAuth && isAuthMigration(name)))
  return Promise.all(
    wanted.map(async (name) => {
      const file = await readSql(folder, name, name)
      return { ...file, transactional: !/^-- no-transaction\b/.test(file.sql) }
    }),
  )
}

/**
 * Reads the function files of a folder, in the order of the migrations that made their noun's tables: policies and
 * triggers need the functions of the nouns before them.
 *
 * @throws when no migration `NNNN_noun.sql` makes the noun that a file's name begins with.
 */
export async function readFunctionFiles(
  folder: string,
  migrations: readonly { readonly name: string }[],
): Promise<FunctionFile[]> {
  const nouns = migrations.map(({ name }) => name.replace(/^\d{4}_/, '').replace(/\.sql$/, ''))
  const files = (await listSql(folder)).map((name) => {
    const stem = name.replace(/\.sql$/, '')
    const rank = nouns.findIndex((noun) => stem === noun || stem.startsWith(`${noun}_`))
    if (rank < 0) {
      throw new Error(
        `Function file ${name} must be named noun.sql or noun_topic.sql after a migration NNNN_noun.sql. Rename it.`,
      )
    }
    return { name, rank }
  })
  files.sort((one, other) => one.rank - other.rank)
  return Promise.all(files.map(({ name }) => readSql(folder, name, `functions/${name}`)))
}

/** Whether the migration makes what Supabase brings along: roles and schema `auth`. */
export function isAuthMigration(name: string): boolean {
  return name.endsWith('_auth.sql')
}

async function listSql(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

async function readSql(folder: string, fileName: string, name: string): Promise<SqlFile> {
  const sql = (await readFile(join(folder, fileName), 'utf8')).replaceAll('\r\n', '\n')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}
