import { type RawBuilder, sql } from 'kysely'
import {
  type FeedbackListItem,
  type FeedbackPriority,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import { defaultLocation } from '#contract/filters.ts'
import { type FeedbackSelection, type InboxSort, matchLimit } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { toFacetTokens } from './facet-tokens.queries.ts'
import type { Cursor } from './feedback.cursor.ts'
import { type ItemRow, itemColumns, toItem } from './feedback-item.queries.ts'
import { readItemNumber } from './search-query.ts'
import { followJoins, isUnread, type JoinedSelection, matchesSelection } from './selection.queries.ts'

/** A selection whose words are replaced by the text of a tsquery. */
export interface PageQuery {
  readonly selection: JoinedSelection
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
  asked: PageQuery & { readonly selection: FeedbackSelection },
): Promise<{ items: FeedbackListItem[]; cursors: Cursor[] }> {
  const query = { ...asked, selection: await followJoins(tx, organizationId, asked.selection) }
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

/** How many items a selection has; counting ends at `matchLimit`. */
export async function countMatches(
  tx: TenantTx,
  organizationId: string,
  { selection, searchQuery }: Pick<PageQuery, 'selection' | 'searchQuery'>,
): Promise<number> {
  const number = readItemNumber(selection.q)
  const read =
    number === undefined
      ? sql<{ n: number }>`select app.count_matches(
          ${organizationId}, ${selection.location ?? defaultLocation}, ${selection.projectId ?? null},
          ${JSON.stringify(await toFacetTokens(tx, selection))}, ${searchQuery ?? null}, ${selection.from ?? null},
          ${selection.to ?? null}, ${selection.unread ?? false}, ${matchLimit}) as n`
      : sql<{ n: number }>`select count(*)::integer as n from (${numberedPage(
          organizationId,
          { selection, searchQuery: undefined, sort: 'newest', after: undefined, limit: matchLimit },
          number,
        )}) as numbered`
  const { rows } = await read.execute(tx)
  const counted = rows[0]?.n ?? 0
  if (!selection.unread || number !== undefined || counted === matchLimit) return counted
  const exceptions = exceptionsPage(organizationId, { selection, searchQuery, order: 'newest', limit: matchLimit })
  const { rows: more } = await sql<{ n: number }>`
    select count(*)::integer as n from (${exceptions}) as exceptions
  `.execute(tx)
  return Math.min(counted + (more[0]?.n ?? 0), matchLimit)
}

async function findCursors(tx: TenantTx, organizationId: string, query: PageQuery): Promise<Cursor[]> {
  const { selection, sort, after, limit } = query
  const read = async (rest: JoinedSelection, from: Cursor | undefined, count: number): Promise<Position[]> => {
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
  const { selection, searchQuery, sort } = query
  const number = readItemNumber(selection.q)
  if (number !== undefined) return numberedPage(organizationId, query, number)
  if (sort !== 'updated' && searchQuery === undefined && isInRanges(selection)) return rangedPage(organizationId, query)
  const tokens = await toFacetTokens(tx, selection)
  const order = sort === 'priority' ? 'newest' : sort
  if (selection.unread) return unreadPage(organizationId, query, tokens, order)
  return searchedPage(organizationId, query, tokens, order)
}

type PageOrder = 'newest' | 'oldest' | 'updated'

function searchedPage(
  organizationId: string,
  query: PageQuery,
  tokens: readonly (readonly string[])[],
  order: PageOrder,
): RawBuilder<unknown> {
  if (order !== 'updated') return foundPage(organizationId, query, tokens, order)
  // Untouched items: `updated_at = created_at`.
  return sql`
    select * from (${foundPage(organizationId, query, [...tokens, ['!touched']], 'updated')}) as touched
    union all select * from (${foundPage(organizationId, query, [...tokens, ['!fresh']], 'newest')}) as fresh
    order by at desc, id desc limit ${query.limit}
  `
}

/** Unread items: those that came since the member's time of reading, and the few exceptions from before. */
function unreadPage(
  organizationId: string,
  query: PageQuery,
  tokens: readonly (readonly string[])[],
  order: PageOrder,
): RawBuilder<unknown> {
  const direction = order === 'oldest' ? sql`asc` : sql`desc`
  return sql`
    select * from (${searchedPage(organizationId, query, tokens, order)}) as recent
    union all select * from (${exceptionsPage(organizationId, { ...query, order })}) as earlier
    order by at ${direction}, id ${direction} limit ${query.limit}
  `
}

/** Unread items of a selection from before the member's time of reading. Reads them by their ids. */
export function exceptionsPage(
  organizationId: string,
  {
    selection: { unread: _, ...selection },
    searchQuery,
    after,
    limit,
    order,
  }: Pick<PageQuery, 'selection' | 'searchQuery' | 'limit'> & { after?: Cursor | undefined; order: PageOrder },
): RawBuilder<unknown> {
  const at = order === 'updated' ? sql.ref('f.updated_at') : sql.ref('f.created_at')
  const [direction, beyond] = order === 'oldest' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  return sql`
    select f.id, ${at} as at
    from feedback f
    -- As an array they are looked up by their ids. A join could read the whole selection, which in small organisations looks cheaper
    -- than it is: each row asks what its reader has seen.
    where f.organization_id = ${organizationId} and f.id = any (array(select app.list_unread_exceptions(${organizationId})))
      and f.created_at <= app.get_read_until(${organizationId}) and ${isUnread}
      and ${matchesSelection(selection, searchQuery)}
      ${after ? sql`and (${at}, f.id) ${beyond} (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by ${at} ${direction}, f.id ${direction} limit ${limit}
  `
}

/** The items with that number, at most one of each project. */
export function numberedPage(
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
  order: PageOrder,
): RawBuilder<unknown> {
  return sql`
    select id, at from app.find_feedback(
      ${organizationId}, ${selection.location ?? defaultLocation}, ${selection.projectId ?? null}, ${JSON.stringify(tokens)},
      ${searchQuery ?? null}, ${selection.from ?? null}, ${selection.to ?? null}, ${selection.unread ?? false}, ${order},
      ${after?.at ?? null}, ${after?.id ?? null}, ${limit})
  `
}

/** Whether the ordered indexes cover the selection, in a number of ranges worth merging. */
function isInRanges(selection: JoinedSelection): boolean {
  const { projectId, status, priority, type, location, from, to, q, ...others } = selection
  return Object.values(others).every((value) => value === undefined) && countRanges(selection) <= maxRanges
}

function countRanges({ projectId, status, priority, type }: JoinedSelection): number {
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
