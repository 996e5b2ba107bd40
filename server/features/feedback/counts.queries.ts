import { sql } from 'kysely'
import type { Static } from 'typebox'
import { filterTable, lowerCase, type TokenFilterName } from '#contract/filters.ts'
import { type countFeedback, countLimit } from '#contract/inbox.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

export type FeedbackCounts = Static<(typeof countFeedback)['replies'][200]>

/** Tags that are counted, the most used first. */
const maxTags = 100

type CountRow = Row<'feedback_counts', 'location' | 'project_id' | 'facet' | 'n'>

/** How much lies where, from what is kept with every change: nothing is read through. */
export async function countFeedbackBy(
  tx: TenantTx,
  organizationId: string,
  location: string,
  projectIds: readonly string[] | undefined,
): Promise<FeedbackCounts> {
  const { rows } = await sql<CountRow>`
    select c.location, c.project_id, c.facet, sum(c.n) as n
    from feedback_counts c
    where c.organization_id = ${organizationId} and (c.facet = '' or c.location = ${location})
    group by c.location, c.project_id, c.facet
    having sum(c.n) > 0
  `.execute(tx)
  const asked = projectIds && new Set(projectIds.map((id) => id.toLowerCase()))
  const own = rows.filter((row) => !asked || asked.has(row.project_id))
  const facets = new Map<string, number>()
  for (const row of own) {
    if (row.location === location) facets.set(row.facet, (facets.get(row.facet) ?? 0) + Number(row.n))
  }
  return {
    locations: collect(own.filter((row) => row.facet === '').map((row) => [row.location, Number(row.n)])),
    unread: Math.min(countOf(facets, 'unread', true), countLimit),
    status: byValue(facets, 'status'),
    priority: byValue(facets, 'priority'),
    type: byValue(facets, 'type'),
    source: byValue(facets, 'source'),
    media: byValue(facets, 'media'),
    rating: byValue(facets, 'rating'),
    tag: collectTags(startingWith(facets, 'T')),
    assignee: collect(startingWith(facets, 'a')),
    project: collect(
      rows.filter((row) => row.facet === '' && row.location === location).map((row) => [row.project_id, Number(row.n)]),
    ),
    inTrash: rows
      .filter((row) => row.facet === '' && row.location === 'trash')
      .reduce((total, row) => total + Number(row.n), 0),
    limit: countLimit,
  }
}

type Facets = ReadonlyMap<string, number>

/** Items with a value: those with any of its facet tokens. No item has two of the same value. */
function countOf(facets: Facets, name: TokenFilterName, value: string | number | boolean): number {
  const tokens = filterTable[name].toTokens(value, lowerCase)
  return tokens.reduce((total, token) => total + (facets.get(token) ?? 0), 0)
}

/** Items by each value of a filter whose values are known. */
function byValue(facets: Facets, name: TokenFilterName): Record<string, number> {
  const values: readonly (string | number)[] = filterTable[name].values ?? []
  return collect(values.map((value) => [String(value), countOf(facets, name, value)] as const).filter(([, n]) => n > 0))
}

/** Items by the values behind a letter: of members, and of tags as they are written (`T`, which is counted only). */
function startingWith(facets: Facets, letter: string): [string, number][] {
  return [...facets].filter(([facet]) => facet.startsWith(letter)).map(([facet, n]) => [facet.slice(1), n])
}

/** Adds up what writers noted, so that counting stays as quick as it is. */
export async function foldFeedbackCounts(database: Database): Promise<void> {
  await database.asSystem('counts of every organisation are folded', async (tx) => {
    await sql`select set_config('synchronous_commit', 'off', true), app.fold_feedback_counts()`.execute(tx)
  })
}

function collect(counts: readonly (readonly [string, number])[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const [value, n] of counts) sums.set(value, (sums.get(value) ?? 0) + n)
  return Object.fromEntries([...sums].map(([value, n]) => [value, Math.min(n, countLimit)]))
}

/** A tag's ways of being written are one tag, shown as it is mostly written. */
function collectTags(counts: readonly (readonly [string, number])[]): Record<string, number> {
  const spellings = Map.groupBy(
    counts.toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
    ([tag]) => tag.toLowerCase(),
  )
  return Object.fromEntries(
    [...spellings.values()]
      .map((ways): [string, number] => [ways[0]?.[0] ?? '', ways.reduce((sum, [, n]) => sum + n, 0)])
      .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, maxTags)
      .map(([tag, n]) => [tag, Math.min(n, countLimit)]),
  )
}
