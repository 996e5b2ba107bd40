import { type RawBuilder, sql } from 'kysely'
import {
  type FeedbackListItem,
  type FeedbackPriority,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import { defaultLocation } from '#contract/filters.ts'
import type { FeedbackSelection, InboxSort } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { toFacetTokens } from './facet-tokens.queries.ts'
import type { Cursor } from './feedback.cursor.ts'
import { type ItemRow, itemColumns, toItem } from './feedback-item.queries.ts'
import { readItemNumber } from './search-query.ts'
import { matchesSelection } from './selection.queries.ts'

/** A selection whose words are replaced by the text of a tsquery. */
export interface PageQuery {
  readonly selection: FeedbackSelection
  readonly searchQuery: string | undefined
  readonly sort: InboxSort
  readonly after: Cursor | undefined
  readonly limit: number
}

interface Position {
  readonly id: string
  readonly at: string
}

/** More index ranges than this cost more than a search for the facet tokens of a selection. */
const maxRanges = 500

const asText = sql`to_char(page.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** One page of a list in its order: at most `limit` items after `after`, and a cursor for each. */
export async function listFeedback(
  tx: TenantTx,
  organizationId: string,
  query: PageQuery,
): Promise<{ items: FeedbackListItem[]; cursors: Cursor[] }> {
  const cursors = await findCursors(tx, organizationId, query)
  if (cursors.length === 0) return { items: [], cursors }
  const { rows } = await sql<ItemRow>`
    select ${itemColumns}
    from unnest(${cursors.map(({ id }) => id)}::uuid[]) with ordinality as page (id, position)
    join feedback f on f.organization_id = ${organizationId} and f.id = page.id
      and f.location = ${query.selection.location ?? defaultLocation}
    order by page.position
  `.execute(tx)
  return { items: rows.map(toItem), cursors }
}

async function findCursors(tx: TenantTx, organizationId: string, query: PageQuery): Promise<Cursor[]> {
  const { selection, sort, after, limit } = query
  const read = async (rest: FeedbackSelection, from: Cursor | undefined, count: number): Promise<Position[]> => {
    const page = await toPage(tx, organizationId, { ...query, selection: rest, after: from, limit: count })
    const { rows } = await sql<Position>`select page.id, ${asText} as at from (${page}) as page`.execute(tx)
    return rows
  }
  if (sort !== 'priority')
    return (await read(selection, after, limit)).map((position) => ({ ...position, sort, rank: 0 }))

  const cursors: Cursor[] = []
  for (let rank = after?.rank ?? feedbackPriorities.length - 1; rank >= 0 && cursors.length < limit; rank -= 1) {
    // The rank is an index of the list.
    const priority = feedbackPriorities[rank] as FeedbackPriority
    if (selection.priority && !selection.priority.includes(priority)) continue
    const from = after?.rank === rank ? after : undefined
    const positions = await read({ ...selection, priority: [priority] }, from, limit - cursors.length)
    cursors.push(...positions.map((position) => ({ ...position, sort, rank })))
  }
  return cursors
}

async function toPage(tx: TenantTx, organizationId: string, query: PageQuery): Promise<RawBuilder<unknown>> {
  const { selection, searchQuery, sort, limit } = query
  const number = readItemNumber(selection.q)
  if (number !== undefined) return numberedPage(organizationId, query, number)
  if (sort !== 'updated' && searchQuery === undefined && isInRanges(selection)) return rangedPage(organizationId, query)
  const tokens = await toFacetTokens(tx, selection)
  if (sort !== 'updated') return foundPage(organizationId, query, tokens, sort === 'oldest' ? 'oldest' : 'newest')
  // Untouched items: `updated_at = created_at`.
  return sql`
    select * from (${foundPage(organizationId, query, [...tokens, ['!touched']], 'updated')}) as touched
    union all select * from (${foundPage(organizationId, query, [...tokens, ['!fresh']], 'newest')}) as fresh
    order by at desc, id desc limit ${limit}
  `
}

/** The items with that number, at most one of each project. */
function numberedPage(
  organizationId: string,
  { selection, sort, after, limit }: PageQuery,
  number: number,
): RawBuilder<unknown> {
  const at = sort === 'updated' ? sql.ref('n.updated_at') : sql.ref('n.created_at')
  const isOldest = sort === 'oldest'
  const next = after && sql`(${at}, n.id) ${isOldest ? sql`>` : sql`<`} (${after.at}::timestamptz, ${after.id}::uuid)`
  return sql`
    select n.id, ${at} as at
    from projects p
    cross join lateral (
      select f.id, f.created_at, f.updated_at from feedback f
      where f.organization_id = p.organization_id and f.project_id = p.id and f.number = ${number}
        and ${matchesSelection(selection)}
    ) as n
    where p.organization_id = ${organizationId} ${next ? sql`and ${next}` : sql``}
    order by ${at} ${isOldest ? sql`asc` : sql`desc`}, n.id ${isOldest ? sql`asc` : sql`desc`}
    limit ${limit}
  `
}

function foundPage(
  organizationId: string,
  { selection, searchQuery, after, limit }: PageQuery,
  tokens: readonly (readonly string[])[],
  order: 'newest' | 'oldest' | 'updated',
): RawBuilder<unknown> {
  return sql`
    select id, at from app.find_feedback(
      ${organizationId}, ${selection.location ?? defaultLocation}, ${selection.projectId ?? null}, ${JSON.stringify(tokens)},
      ${searchQuery ?? null}, ${selection.from ?? null}, ${selection.to ?? null}, ${order}, ${after?.at ?? null},
      ${after?.id ?? null}, ${limit})
  `
}

/** Whether the ordered indexes cover the selection, in a number of ranges worth merging. */
function isInRanges(selection: FeedbackSelection): boolean {
  const { projectId, status, priority, type, location, from, to, q, ...others } = selection
  return Object.values(others).every((value) => value === undefined) && countRanges(selection) <= maxRanges
}

function countRanges({ projectId, status, priority, type }: FeedbackSelection): number {
  if (!projectId && !status && !priority && !type) return 1
  return (
    (projectId?.length ?? 1) *
    (status ?? feedbackStatuses).length *
    (priority ?? feedbackPriorities).length *
    (type ?? feedbackTypes).length
  )
}

function rangedPage(organizationId: string, { selection, sort, after, limit }: PageQuery): RawBuilder<unknown> {
  const { projectId, status, priority, type, ...others } = selection
  const isOldest = sort === 'oldest'
  const own = sql`
    f.organization_id = ${organizationId} and ${matchesSelection(others)}
    ${after ? sql`and (f.created_at, f.id) ${isOldest ? sql`>` : sql`<`} (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
  `
  const inOrder = (at: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
    isOldest ? sql`order by ${at}, ${id} limit ${limit}` : sql`order by ${at} desc, ${id} desc limit ${limit}`
  const oneRange = inOrder(sql`f.created_at`, sql`f.id`)
  if (!projectId && !status && !priority && !type) {
    return sql`select f.id, f.created_at as at from feedback f where ${own} ${oneRange}`
  }
  // Each combination of values is one range of an index, already in order: the first of each, merged, are the first.
  return sql`
    select first.id, first.at
    from unnest(${[...new Set(status ?? feedbackStatuses)]}::text[]) as s (value)
    cross join unnest(${[...new Set(priority ?? feedbackPriorities)]}::text[]) as p (value)
    cross join unnest(${[...new Set(type ?? feedbackTypes)]}::text[]) as t (value)
    ${projectId ? sql`cross join unnest(${[...new Set(projectId.map((id) => id.toLowerCase()))]}::uuid[]) as j (value)` : sql``}
    cross join lateral (
      select f.id, f.created_at as at from feedback f
      where ${own}
        and f.status = s.value and f.priority = p.value and f.type = t.value
        ${projectId ? sql`and f.project_id = j.value` : sql``}
      ${oneRange}
    ) as first
    ${inOrder(sql`first.at`, sql`first.id`)}
  `
}
