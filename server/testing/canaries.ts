import type pg from 'pg'
import type { Tenant } from './facts.ts'
import { tables, withoutCanary } from './gather-facts.ts'

/* Text that a test plants in every text column of one organisation, and then looks for everywhere else. */

interface TextColumn {
  readonly table: string
  readonly name: string
  readonly type: 'text' | 'text[]' | 'jsonb'
}

/** In one word, so that it survives lower case, search, addresses and CSV. */
const canary = 'canary7f3q'

/** Which canaries a text contains, as `canary…` with the column's number. */
export function findCanaries(text: string): string[] {
  return [...new Set(text.toLowerCase().match(new RegExp(`${canary}x\\d+`, 'g')) ?? [])].sort()
}

/**
 * Adds a canary to each text column of the organisation's rows, as the database's owner, past triggers.
 *
 * @returns the column of each canary.
 * @throws Error for a column that takes no text and is not listed in the facts of its noun, or is listed without need.
 */
export async function plantCanaries(client: pg.Client, tenant: Tenant): Promise<ReadonlyMap<string, string>> {
  const planted = new Map<string, string>()
  const closed: string[] = []
  await client.query('set session_replication_role = replica')
  for (const [index, column] of (await listTextColumns(client, tenant)).entries()) {
    const name = `${column.table}.${column.name}`
    if (name in withoutCanary) continue
    const word = `${canary}x${index}`
    if (await plant(client, tenant, column, word)) planted.set(word, name)
    else closed.push(name)
  }
  await client.query('set session_replication_role = origin')
  if (closed.length > 0) {
    throw new Error(
      `say in the facts of their nouns why these columns take no text (withoutCanary): ${closed.join(', ')}`,
    )
  }
  return planted
}

/** Columns that may contain any text; those that list their values in a check do not. */
async function listTextColumns(client: pg.Client, tenant: Tenant): Promise<TextColumn[]> {
  const { rows } = await client.query<TextColumn>(
    `select t.name as "table", a.attname as name, format_type(a.atttypid, null) as type
     from unnest($1::text[]) as t (name) join pg_attribute a on a.attrelid = t.name::regclass
     where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and format_type(a.atttypid, null) in ('text', 'text[]', 'jsonb')
       and not exists (
         select from pg_constraint k
         where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]
           and pg_get_constraintdef(k.oid) ~ '(= ANY|<@) \\(?ARRAY')
     order by t.name collate "C", a.attname collate "C"`,
    [listTablesOf(tenant)],
  )
  return rows
}

/** Tables with rows of the organisation: the facts of others name the same rows whatever the organisation. */
export function listTablesOf(tenant: Tenant): string[] {
  const none = Object.fromEntries(Object.keys(tenant).map((key) => [key, ''])) as unknown as Tenant
  return Object.entries(tables).flatMap(([name, { row }]) => (row(tenant) === row(none) ? [] : [name]))
}

/** Tries text, then what fits an address, a host or a list. Whether one of them was stored. */
async function plant(client: pg.Client, tenant: Tenant, column: TextColumn, word: string): Promise<boolean> {
  const row = tables[column.table]?.row(tenant) ?? 'false'
  // Rows of one column differ, in case they must.
  const unique = `'${word}' || 'r' || translate(ctid::text, '(),', '')`
  const forms = {
    text: [`${unique} || ' Words'`, `${unique} || '@example.com'`, `${unique} || '.example.com'`, unique],
    'text[]': [`array[${unique}]`, `array[${unique} || '.example.com']`],
    jsonb: [
      `jsonb_build_object('note', ${unique}) || case jsonb_typeof(${column.name}) when 'object' then ${column.name} else '{}' end`,
    ],
  }[column.type]
  for (const form of forms) {
    const { rowCount } = await client
      .query(`update ${column.table} set ${column.name} = ${form} where ${row}`)
      .catch(() => ({ rowCount: 0 }))
    if (rowCount) return true
  }
  return false
}
