import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/** Organisations and what they add to a figure: a query with the columns `organization_id` and `amount`. */
export type PartsSource = RawBuilder<unknown>

/** Where a page ends. */
export interface PartPlace {
  readonly amount: number
  /** In lower case. */
  readonly name: string
  readonly id: string
}

export interface WantedParts {
  /** In lower case. Empty: all. */
  readonly search: string
  readonly sort: 'amount' | 'name'
  readonly after: PartPlace | undefined
  readonly limit: number
}

export interface FoundParts {
  readonly total: number
  readonly count: number
  readonly rows: readonly { id: string; name: string; slug: string; amount: number }[]
}

/** A page of the organisations that a figure is made of, with the sum of all that match. */
export async function listParts(
  tx: SystemTx,
  source: PartsSource,
  { search, sort, after, limit }: WantedParts,
): Promise<FoundParts> {
  const isByName = sort === 'name'
  const place = !after
    ? sql`true`
    : isByName
      ? sql`(lower(m.name), m.id) > (${after.name}, ${after.id}::uuid)`
      : sql`(m.amount, m.id) < (${after.amount}, ${after.id}::uuid)`
  const order = isByName ? sql`lower(name), id` : sql`amount desc, id desc`
  const { rows } = await sql<{
    total: number
    count: number
    id: string | null
    name: string
    slug: string
    amount: number
  }>`
    with matching as materialized (
      select o.id, o.name, o.slug, p.amount::bigint as amount
      from (${source}) p
      join organizations o on o.id = p.organization_id
      where ${search} = '' or strpos(lower(o.name), ${search}) > 0 or strpos(o.slug, ${search}) > 0
    ),
    page as (select * from matching m where ${place} order by ${order} limit ${limit})
    select t.total, t.count, page.id, page.name, page.slug, page.amount
    from (select coalesce(sum(amount), 0)::bigint as total, count(*) as count from matching) t
    left join page on true
    order by ${order}
  `.execute(tx)
  const [first] = rows
  return {
    total: first?.total ?? 0,
    count: first?.count ?? 0,
    rows: rows.flatMap(({ id, name, slug, amount }) => (id === null ? [] : [{ id, name, slug, amount }])),
  }
}
