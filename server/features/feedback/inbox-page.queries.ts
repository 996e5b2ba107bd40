import { type RawBuilder, sql } from 'kysely'
import {
  type FeedbackListItem,
  type FeedbackPriority,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import type { FeedbackSelection, InboxSort } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Cursor } from './feedback.cursor.ts'
import { type ItemRow, itemColumns, toItem } from './feedback-item.queries.ts'
import { readItemNumber } from './search-query.ts'
import { matchesSelection } from './selection.queries.ts'
import { toSigns } from './selection-signs.queries.ts'

/** What a page is read of: a selection without its words, and the text of a tsquery in their stead. */
export interface PageQuery {
  readonly selection: FeedbackSelection
  readonly searchQuery: string | undefined
  readonly sort: InboxSort
  readonly after: Cursor | undefined
  readonly limit: number
}

interface Place {
  readonly id: string
  readonly at: string
}

/** More index ranges than this cost more than looking for the signs of a selection. */
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
      and f.place = ${query.selection.place ?? 'inbox'}
    order by page.position
  `.execute(tx)
  return { items: rows.map(toItem), cursors }
}

async function findCursors(tx: TenantTx, organizationId: string, query: PageQuery): Promise<Cursor[]> {
  const { selection, sort, after, limit } = query
  const read = async (rest: FeedbackSelection, from: Cursor | undefined, count: number): Promise<Place[]> => {
    const page = await toPage(tx, organizationId, { ...query, selection: rest, after: from, limit: count })
    const { rows } = await sql<Place>`select page.id, ${asText} as at from (${page}) as page`.execute(tx)
    return rows
  }
  if (sort !== 'priority') return (await read(selection, after, limit)).map((place) => ({ ...place, sort, rank: 0 }))

  const cursors: Cursor[] = []
  for (let rank = after?.rank ?? feedbackPriorities.length - 1; rank >= 0 && cursors.length < limit; rank -= 1) {
    const priority = feedbackPriorities[rank] as FeedbackPriority
    if (selection.priority && !selection.priority.includes(priority)) continue
    const from = after?.rank === rank ? after : undefined
    const places = await read({ ...selection, priority: [priority] }, from, limit - cursors.length)
    cursors.push(...places.map((place) => ({ ...place, sort, rank })))
  }
  return cursors
}

async function toPage(tx: TenantTx, organizationId: string, query: PageQuery): Promise<RawBuilder<unknown>> {
  const { selection, searchQuery, sort, limit } = query
  const number = readItemNumber(selection.q)
  if (number !== undefined) return numberedPage(organizationId, query, number)
  if (sort !== 'updated' && searchQuery === undefined && isInRanges(selection)) return rangedPage(organizationId, query)
  const signs = await toSigns(tx, selection)
  if (sort !== 'updated') return foundPage(organizationId, query, signs, sort === 'oldest' ? 'oldest' : 'newest')
  // What nobody touched was updated when it came.
  return sql`
    select * from (${foundPage(organizationId, query, [...signs, ['!touched']], 'updated')}) as touched
    union all select * from (${foundPage(organizationId, query, [...signs, ['!fresh']], 'newest')}) as fresh
    order by at desc, id desc limit ${limit}
  `
}

/** The items of that number, of each project at most one. */
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
  signs: readonly (readonly string[])[],
  order: 'newest' | 'oldest' | 'updated',
): RawBuilder<unknown> {
  return sql`
    select id, at from app.find_feedback(
      ${organizationId}, ${selection.place ?? 'inbox'}, ${selection.projectId ?? null}, ${JSON.stringify(signs)},
      ${searchQuery ?? null}, ${selection.from ?? null}, ${selection.to ?? null}, ${order}, ${after?.at ?? null},
      ${after?.id ?? null}, ${limit})
  `
}

/** Whether the selection is made of what the ordered indexes are by, in a number of ranges worth merging. */
function isInRanges(selection: FeedbackSelection): boolean {
  const { projectId, status, priority, type, place, from, to, q, ...others } = selection
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
  const { projectId, status, priority, type, place, from, to } = selection
  const isOldest = sort === 'oldest'
  const own = sql`
    organization_id = ${organizationId} and place = ${place ?? 'inbox'}
    ${from === undefined ? sql`` : sql`and created_at >= ${from}::timestamptz`}
    ${to === undefined ? sql`` : sql`and created_at < ${to}::timestamptz`}
    ${after ? sql`and (created_at, id) ${isOldest ? sql`>` : sql`<`} (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
  `
  const inOrder = (at: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
    isOldest ? sql`order by ${at}, ${id} limit ${limit}` : sql`order by ${at} desc, ${id} desc limit ${limit}`
  const oneRange = inOrder(sql`created_at`, sql`id`)
  if (!projectId && !status && !priority && !type) {
    return sql`select id, created_at as at from feedback where ${own} ${oneRange}`
  }
  // Each combination of values is one range of an index, already in order: the first of each, merged, are the first.
  return sql`
    select first.id, first.at
    from unnest(${[...new Set(status ?? feedbackStatuses)]}::text[]) as s (value)
    cross join unnest(${[...new Set(priority ?? feedbackPriorities)]}::text[]) as p (value)
    cross join unnest(${[...new Set(type ?? feedbackTypes)]}::text[]) as t (value)
    ${projectId ? sql`cross join unnest(${[...new Set(projectId.map((id) => id.toLowerCase()))]}::uuid[]) as j (value)` : sql``}
    cross join lateral (
      select id, created_at as at from feedback
      where ${own}
        and status = s.value and priority = p.value and type = t.value
        ${projectId ? sql`and project_id = j.value` : sql``}
      ${oneRange}
    ) as first
    ${inOrder(sql`first.at`, sql`first.id`)}
  `
}
