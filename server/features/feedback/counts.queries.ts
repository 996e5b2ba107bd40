import { sql } from 'kysely'
import type { Static } from 'typebox'
import { doneStatuses, openStatuses } from '#contract/feedback.ts'
import { filterTable, lowerCase, type TokenFilterName } from '#contract/filters.ts'
import { type countFeedback, type InboxStage, matchLimit } from '#contract/inbox.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

export type FeedbackCounts = Static<(typeof countFeedback)['replies'][200]>

/** Tags that are counted, the most used first. */
const maxTags = 100

type CountRow = Row<'feedback_counts', 'location' | 'project_id' | 'facet' | 'n'>

export interface Counted {
  readonly location: string
  /** Undefined: open and done. Means nothing outside of the inbox. */
  readonly stage: InboxStage | undefined
  /** Undefined: all. */
  readonly projectIds: readonly string[] | undefined
}

/** Counts items from sums that every change adds to. Reads no item but for what is unread, which each member has of their own. */
export async function countFeedbackBy(
  tx: TenantTx,
  organizationId: string,
  { location, stage, projectIds }: Counted,
): Promise<Omit<FeedbackCounts, 'hasTracker'>> {
  const counted = listCountedLocations(location, stage)
  const { rows } = await sql<CountRow>`
    select c.location, c.project_id, c.facet, sum(c.n) as n
    from feedback_counts c
    where c.organization_id = ${organizationId} and (c.facet = '' or c.location = any (${counted}::text[]))
    group by c.location, c.project_id, c.facet
    having sum(c.n) > 0
  `.execute(tx)
  const asked = projectIds && new Set(projectIds.map((id) => id.toLowerCase()))
  const own = rows.filter((row) => !asked || asked.has(row.project_id))
  const facets = new Map<string, number>()
  for (const row of own) {
    if (counted.includes(row.location)) facets.set(row.facet, (facets.get(row.facet) ?? 0) + Number(row.n))
  }
  const all = own.filter((row) => row.facet === '')
  const inStage = (name: string) =>
    all.filter((row) => row.location === name).reduce((total, row) => total + Number(row.n), 0)
  return {
    locations: collect(all.map((row) => [row.location === 'done' ? 'inbox' : row.location, Number(row.n)])),
    stages: { open: inStage('inbox'), done: inStage('done') },
    unread: await countUnread(tx, organizationId, { location, stage, projectIds }),
    unanswered: countOf(facets, 'unanswered', true),
    status: byValue(facets, 'status'),
    priority: byValue(facets, 'priority'),
    type: byValue(facets, 'type'),
    source: byValue(facets, 'source'),
    media: byValue(facets, 'media'),
    rating: byValue(facets, 'rating'),
    tag: collectTags(startingWith(facets, 'T')),
    assignee: collect(startingWith(facets, 'a')),
    project: collect(
      rows
        .filter((row) => row.facet === '' && counted.includes(row.location))
        .map((row) => [row.project_id, Number(row.n)]),
    ),
    inTrash: rows
      .filter((row) => row.facet === '' && row.location === 'trash')
      .reduce((total, row) => total + Number(row.n), 0),
  }
}

/** What the inbox shows beside its list. */
export async function countInbox(tx: TenantTx, organizationId: string, counted: Counted): Promise<FeedbackCounts> {
  return {
    ...(await countFeedbackBy(tx, organizationId, counted)),
    hasTracker: await hasTracker(tx, organizationId),
  }
}

/** Whether an issue tracker of the organisation is connected and active. */
async function hasTracker(tx: TenantTx, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from integrations where organization_id = ${organizationId} and is_tracker and state = 'active') as found
  `.execute(tx)
  return rows[0]?.found ?? false
}

async function countUnread(
  tx: TenantTx,
  organizationId: string,
  { location, stage, projectIds }: Counted,
): Promise<number> {
  const isStaged = location === 'inbox' && stage !== undefined
  const statuses = isStaged ? [...(stage === 'open' ? openStatuses : doneStatuses)] : null
  const { rows } = await sql<{ n: number }>`
    select app.count_unread(
      ${organizationId}, ${location}, ${statuses}::text[], ${projectIds ? [...projectIds] : null}::uuid[], ${matchLimit}) as n
  `.execute(tx)
  return rows[0]?.n ?? 0
}

/** Locations of `feedback_counts`, which counts the done items of the inbox under `done`. */
function listCountedLocations(location: string, stage: InboxStage | undefined): string[] {
  if (location !== 'inbox') return [location]
  if (stage === undefined) return ['inbox', 'done']
  return [stage === 'open' ? 'inbox' : 'done']
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
  return Object.fromEntries(sums)
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
      .slice(0, maxTags),
  )
}
