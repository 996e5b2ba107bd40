import { type RawBuilder, sql } from 'kysely'
import { type FeedbackListItem, feedbackPriorities, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import type { FeedbackQuery } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Cursor } from './feedback.cursor.ts'
import { type ItemRow, itemColumns, toItem } from './feedback-item.queries.ts'

export type FeedbackFilters = Pick<FeedbackQuery, 'projectId' | 'status' | 'priority' | 'type' | 'place'>

const cursorTime = sql`to_char(f.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor_time`

// More index ranges than this cost more than reading the inbox in order and leaving out what does not match.
const maxRanges = 500

/** One page of the inbox, newest first: at most `limit` items after `after`, each with its place for a cursor. */
export async function listFeedback(
  tx: TenantTx,
  organizationId: string,
  filters: FeedbackFilters,
  searchQuery: string | undefined,
  after: Cursor | undefined,
  limit: number,
): Promise<{ item: FeedbackListItem; place: Cursor }[]> {
  const page = searchQuery
    ? searchedPage(organizationId, filters, searchQuery, after, limit)
    : (filters.place ?? 'inbox') !== 'inbox'
      ? otherPage(organizationId, filters, after, limit)
      : filteredPage(organizationId, filters, after, limit)
  const { rows } = await sql<ItemRow & { cursor_time: string }>`
    with page as (${page})
    select ${itemColumns}, ${cursorTime}
    from page
    join feedback f on f.organization_id = ${organizationId} and f.id = page.id
      and f.place = ${filters.place ?? 'inbox'}
    order by f.created_at desc, f.id desc
  `.execute(tx)
  return rows.map((row) => ({ item: toItem(row), place: { createdAt: row.cursor_time, id: row.id } }))
}

function searchedPage(
  organizationId: string,
  filters: FeedbackFilters,
  searchQuery: string,
  after: Cursor | undefined,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select id from app.search_feedback(
      ${organizationId}, ${searchQuery}, ${filters.projectId ?? null}, ${filters.status ?? null},
      ${filters.priority ?? null}, ${filters.type ?? null}, ${after?.createdAt ?? null}, ${after?.id ?? null}, ${limit},
      ${filters.place === 'spam'})
  `
}

/** What does not lie in the inbox: what does not match is left out while reading. */
function otherPage(
  organizationId: string,
  { projectId, status, priority, type, place }: FeedbackFilters,
  after: Cursor | undefined,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select id from feedback
    where organization_id = ${organizationId} and place = ${place ?? 'inbox'}
      ${projectId ? sql`and project_id = any (${projectId})` : sql``}
      ${status ? sql`and status = any (${status})` : sql``}
      ${priority ? sql`and priority = any (${priority})` : sql``}
      ${type ? sql`and type = any (${type})` : sql``}
      ${after ? sql`and (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``}
    order by created_at desc, id desc limit ${limit}
  `
}

function filteredPage(
  organizationId: string,
  filters: FeedbackFilters,
  after: Cursor | undefined,
  limit: number,
): RawBuilder<unknown> {
  const older = after ? sql`and (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``
  const newestFirst = sql`order by created_at desc, id desc limit ${limit}`
  const { projectId, status, priority, type } = filters
  // The inbox's indexes hold nothing else, so quarantine costs it nothing, however much of it there is.
  const own = sql`organization_id = ${organizationId} and spam_reason is null and place = 'inbox'`
  if (!projectId && !status && !priority && !type) {
    return sql`select id from feedback where ${own} ${older} ${newestFirst}`
  }
  const statuses = [...new Set(status ?? feedbackStatuses)]
  const priorities = [...new Set(priority ?? feedbackPriorities)]
  const types = [...new Set(type ?? feedbackTypes)]
  const projectIds = projectId && [...new Set(projectId)]
  if (statuses.length * priorities.length * types.length * (projectIds?.length ?? 1) > maxRanges) {
    return sql`
      select id from feedback
      where ${own}
        and status = any (${statuses}) and priority = any (${priorities}) and type = any (${types})
        ${projectIds ? sql`and project_id = any (${projectIds})` : sql``}
        ${older}
      ${newestFirst}
    `
  }
  // Each combination of values is one range of an index, already in order: the newest of each, merged, are the newest.
  return sql`
    select newest.id
    from unnest(${statuses}::text[]) as s (value)
    cross join unnest(${priorities}::text[]) as p (value)
    cross join unnest(${types}::text[]) as t (value)
    ${projectIds ? sql`cross join unnest(${projectIds}::uuid[]) as j (value)` : sql``}
    cross join lateral (
      select id, created_at from feedback
      where ${own}
        and status = s.value and priority = p.value and type = t.value
        ${projectIds ? sql`and project_id = j.value` : sql``}
        ${older}
      ${newestFirst}
    ) as newest
    order by newest.created_at desc, newest.id desc
    limit ${limit}
  `
}
