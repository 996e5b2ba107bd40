import { glob, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Outer, Present, Refined, Row, RowAs } from './row.ts'

/*
 * These are broken on purpose: each line would return what the database does not have. The type check fails where one
 * of them compiles, because the line that expects an error has none.
 */
type Broken = [
  // @ts-expect-error a column that was renamed
  Row<'feedback', 'stars'>,
  // @ts-expect-error a table that is gone
  Row<'feedbacks', 'id'>,
  // @ts-expect-error a column that was renamed, under a name of the query's own
  RowAs<'feedback', { pageUrl: 'url' }>,
  // @ts-expect-error a jsonb column that was renamed
  Refined<'exports', 'filters', object>,
]

/** Reads rows as a query would. Never called: the type check reads it. */
function readRows(
  item: Row<'feedback', 'rating' | 'number' | 'status'>,
  aliased: RowAs<'feedback', { firstViewedAt: 'first_viewed_at' }>,
  joined: Outer<Row<'uploads', 'storage_key'>>,
  present: Present<Row<'exports', 'storage_key'>>,
  widget: {
    settings: Refined<'widgets', 'settings', { isOpen: boolean }>
    draft: Refined<'widgets', 'draft', { isOpen: boolean }>
  },
): unknown[] {
  // @ts-expect-error a column that became nullable
  const rating: number = item.rating
  // @ts-expect-error the same under a name of the query's own
  const viewedAt: Date = aliased.firstViewedAt
  // @ts-expect-error a column that an outer join may not find
  const key: string = joined.storage_key
  // @ts-expect-error a value that the table's check does not allow
  const isLost = item.status === 'lost'
  // @ts-expect-error a jsonb column that may be null
  const isDraftOpen: boolean = widget.draft.isOpen
  const number: number = item.number
  const presentKey: string = present.storage_key
  const isOpen: boolean = widget.settings.isOpen
  return [rating, viewedAt, key, isLost, isDraftOpen, number, presentKey, isOpen]
}

/** Fields of rows written by hand whose column a query selects as it is: the database should type those. */
function findUntyped(source: string): string[] {
  const inline = [...source.matchAll(/sql<\{([^}]*)\}>`([^`]*)`/g)].map(([, fields = '', query = '']) => ({
    fields,
    query,
  }))
  const named = [...source.matchAll(/sql<([A-Z]\w*)[^>`]*>`([^`]*)`/g)].map(([, name = '', query = '']) => ({
    fields: new RegExp(`interface ${name}\\b[^{]*\\{([^}]*)\\}`).exec(source)?.[1] ?? '',
    query,
  }))
  return [...inline, ...named].flatMap(({ fields, query }) => {
    const selected = listSelected(query)
    return [
      ...fields.matchAll(/(?:^|[\n;])\s*(?:readonly )?(\w+): (?:string|number|boolean|Date)(?: \| null)?(?=[\s;]|$)/g),
    ]
      .map(([, field = '']) => field)
      .filter((field) => selected.has(field))
  })
}

/** Names under which the outermost `select` of a query returns columns of tables as they are. */
function listSelected(query: string): Set<string> {
  const aliases = new Set(
    [...query.matchAll(/\b(?:from|join) ((?:app\.|auth\.)?\w+) (?:as )?(\w+)\b/g)]
      .filter(([, table = '']) => tables.has(table))
      .map(([, , alias]) => alias),
  )
  const list = /^\s*select (.*?)\n\s*from /s.exec(query)?.[1] ?? ''
  return new Set(
    list.split(',').flatMap((part) => {
      const [, alias = '', column = '', name = column] = /^\s*(\w+)\.(\w+)(?: as "?(\w+)"?)?\s*$/.exec(part) ?? []
      return aliases.has(alias) ? [name] : []
    }),
  )
}

let tables: ReadonlySet<string>

beforeAll(async () => {
  const generated = await readFile('server/platform/database/schema.generated.ts', 'utf8')
  const list = generated.slice(generated.indexOf('export interface DB {'))
  tables = new Set([...list.matchAll(/^ {2}'?([\w.]+)'?: /gm)].map(([, table = '']) => table))
})

describe('rows of raw SQL', () => {
  it('have the types of the columns that they select', async () => {
    const untyped: string[] = []
    for await (const path of glob('server/**/*.queries.ts')) {
      const fields = findUntyped(await readFile(path, 'utf8'))
      if (fields.length > 0) untyped.push(`${path}: ${fields.join(', ')}`)
    }
    expect(untyped.sort()).toEqual([])
  })

  it('are found where a type is written by hand', () => {
    expect(findUntyped('sql<{ id: string; rank: number }>`select f.id, 1 as rank\nfrom feedback f`')).toEqual(['id'])
    const named =
      'interface Page {\n  pageUrl: string | null\n}\nsql<Page>`select f.page_url as "pageUrl"\nfrom feedback f`'
    expect(findUntyped(named)).toEqual(['pageUrl'])
    expect(findUntyped('sql<{ id: string }>`select w.id\nfrom unnest(array[1]) as w (id)`')).toEqual([])
  })

  it('do not compile where the database has no such column, or one that may be null', () => {
    // The type check decides; this keeps the broken lines from being taken for unused.
    expect(readRows satisfies (...rows: never[]) => unknown).toBeTypeOf('function')
    expect([] satisfies Partial<Broken>[]).toEqual([])
  })
})
