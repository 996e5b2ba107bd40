import { sql } from 'kysely'
import type { Static } from 'typebox'
import { type countFeedback, countLimit } from '#contract/inbox.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'

export type FeedbackCounts = Static<(typeof countFeedback)['replies'][200]>

/** Tags that are counted, the most used first. */
const maxTags = 100

interface CountRow {
  place: string
  project_id: string
  facet: string
  n: number
}

/** How much lies where, from what is kept with every change: nothing is read through. */
export async function countFeedbackBy(
  tx: TenantTx,
  organizationId: string,
  place: string,
  projectIds: readonly string[] | undefined,
): Promise<FeedbackCounts> {
  const { rows } = await sql<CountRow>`
    select c.place, c.project_id, c.facet, sum(c.n) as n
    from feedback_counts c
    where c.organization_id = ${organizationId} and (c.facet = '' or c.place = ${place})
    group by c.place, c.project_id, c.facet
    having sum(c.n) > 0
  `.execute(tx)
  const asked = projectIds && new Set(projectIds.map((id) => id.toLowerCase()))
  const own = rows.filter((row) => !asked || asked.has(row.project_id))
  const facets = new Map<string, number>()
  for (const row of own) {
    if (row.place === place) facets.set(row.facet, (facets.get(row.facet) ?? 0) + Number(row.n))
  }
  const by = (sign: string) =>
    collect([...facets].filter(([facet]) => facet.startsWith(sign)).map(([f, n]) => [f.slice(1), n]))
  return {
    places: collect(own.filter((row) => row.facet === '').map((row) => [row.place, Number(row.n)])),
    unread: Math.min(facets.get('unread') ?? 0, countLimit),
    status: by('s'),
    priority: by('p'),
    type: by('k'),
    source: by('o'),
    media: { ...by('m'), ...collect([...facets].filter(([f]) => f.startsWith('r')).map(([, n]) => ['rating', n])) },
    rating: by('r'),
    tag: collectTags([...facets].filter(([facet]) => facet.startsWith('T')).map(([f, n]) => [f.slice(1), n])),
    assignee: by('a'),
    project: collect(
      rows.filter((row) => row.facet === '' && row.place === place).map((row) => [row.project_id, Number(row.n)]),
    ),
    inTrash: rows
      .filter((row) => row.facet === '' && row.place === 'trash')
      .reduce((total, row) => total + Number(row.n), 0),
    limit: countLimit,
  }
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
