import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the product's own migrations stand. */
export const migrationsFolder = fileURLToPath(new URL('../../../db/migrations', import.meta.url))

/** One file of SQL that takes the database one step forward. */
export interface MigrationFile {
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text with line feeds alone, so that a checkout with CRLF counts as the same file. */
  readonly checksum: string
  /** False for a file whose first line is `-- no-transaction`; it then holds a single statement. */
  readonly transactional: boolean
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
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
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
  return Promise.all(wanted.map((name) => readMigrationFile(folder, name)))
}

/** Whether the migration makes what Supabase brings along: roles and schema `auth`. */
export function isAuthMigration(name: string): boolean {
  return name.endsWith('_auth.sql')
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    transactional: !/^-- no-transaction\b/.test(sql),
  }
}
