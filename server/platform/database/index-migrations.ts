import pg from 'pg'
import type { MigrationFile } from './migration-files.ts'

const statement = /^create (?:unique )?index concurrently (?:if not exists )?([a-z0-9_]+) on ([a-z_]+)\.([a-z0-9_]+)\b/

/** Whether a migration outside a transaction builds one index and nothing else: then it can run again after an interruption. */
export function rebuildsItself({ transactional, sql }: Pick<MigrationFile, 'transactional' | 'sql'>): boolean {
  return !transactional && readIndex(sql) !== undefined
}

/** The index that the file builds; undefined: it does something else. */
function readIndex(sql: string): { schema: string; table: string; index: string } | undefined {
  const text = sql.replace(/--.*$/gm, '').trim().replace(/;$/, '').replace(/\s+/g, ' ').toLowerCase()
  const [, index, schema, table] = text.includes(';') ? [] : (statement.exec(text) ?? [])
  return index !== undefined && schema !== undefined && table !== undefined ? { schema, table, index } : undefined
}

/** Removes what an interrupted attempt has left: an index that every write keeps up to date and no query uses. */
export async function removeUnfinishedIndex(client: pg.Client, { sql }: Pick<MigrationFile, 'sql'>): Promise<void> {
  const found = readIndex(sql)
  if (!found) return
  const name = `${pg.escapeIdentifier(found.schema)}.${pg.escapeIdentifier(found.index)}`
  // Also a whole one, whose migration was not noted any more: simpler than comparing definitions.
  await client.query(`drop index concurrently if exists ${name}`)
}
