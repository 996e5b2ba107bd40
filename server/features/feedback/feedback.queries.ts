import { type RawBuilder, sql } from 'kysely'
import {
  type FeedbackChange,
  type FeedbackDetail,
  type FeedbackEvent,
  type FeedbackListItem,
  type FeedbackQuery,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Cursor } from './feedback.cursor.ts'

export type FeedbackFilters = Pick<FeedbackQuery, 'projectId' | 'status' | 'priority' | 'type'>

interface ItemRow {
  id: string
  project_id: string
  number: number
  type: FeedbackListItem['type']
  source: FeedbackListItem['source']
  status: FeedbackListItem['status']
  priority: FeedbackListItem['priority']
  excerpt: string
  rating: number | null
  visitor_email: string | null
  visitor_name: string | null
  page_url: string
  created_at: Date
  first_viewed_at: Date | null
}

const itemColumns = sql`
  f.id, f.project_id, f.number, f.type, f.source, f.status, f.priority, left(f.message, 280) as excerpt, f.rating,
  f.visitor_email, f.visitor_name, f.page_url, f.created_at, f.first_viewed_at
`

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
    : filteredPage(organizationId, filters, after, limit)
  const { rows } = await sql<ItemRow & { cursor_time: string }>`
    with page as (${page})
    select ${itemColumns}, ${cursorTime}
    from page
    join feedback f on f.organization_id = ${organizationId} and f.id = page.id
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
      ${filters.priority ?? null}, ${filters.type ?? null}, ${after?.createdAt ?? null}, ${after?.id ?? null}, ${limit})
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
  if (!projectId && !status && !priority && !type) {
    return sql`select id from feedback where organization_id = ${organizationId} ${older} ${newestFirst}`
  }
  const statuses = [...new Set(status ?? feedbackStatuses)]
  const priorities = [...new Set(priority ?? feedbackPriorities)]
  const types = [...new Set(type ?? feedbackTypes)]
  const projectIds = projectId && [...new Set(projectId)]
  if (statuses.length * priorities.length * types.length * (projectIds?.length ?? 1) > maxRanges) {
    return sql`
      select id from feedback
      where organization_id = ${organizationId}
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
      where organization_id = ${organizationId}
        and status = s.value and priority = p.value and type = t.value
        ${projectIds ? sql`and project_id = j.value` : sql``}
        ${older}
      ${newestFirst}
    ) as newest
    order by newest.created_at desc, newest.id desc
    limit ${limit}
  `
}

interface DetailRow extends ItemRow {
  message: string
  closed_reason: FeedbackDetail['closedReason']
  page_title: string | null
  context: Record<string, unknown>
  metadata: Record<string, unknown>
  updated_at: Date
  version: number
}

interface EventRow {
  id: string
  field: string
  from_value: string | null
  to_value: string | null
  actor_name: string | null
  created_at: Date
}

export async function findFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<FeedbackDetail | undefined> {
  const { rows } = await sql<DetailRow>`
    select ${itemColumns}, f.message, f.closed_reason, f.page_title, f.context, f.metadata, f.updated_at, f.version
    from feedback f
    where f.organization_id = ${organizationId} and f.id = ${id}
  `.execute(tx)
  const row = rows[0]
  if (!row) return undefined
  const events = await sql<EventRow>`
    select e.id, e.field, e.from_value, e.to_value, e.created_at,
           coalesce(nullif(p.full_name, ''), p.email) as actor_name
    from feedback_events e
    left join profiles p on p.user_id = e.actor_user_id
    where e.organization_id = ${organizationId} and e.feedback_id = ${id}
    order by e.created_at, e.id
  `.execute(tx)
  return {
    ...toItem(row),
    message: row.message,
    closedReason: row.closed_reason,
    pageTitle: row.page_title,
    context: row.context,
    metadata: row.metadata,
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    history: events.rows.map(toEvent),
  }
}

/**
 * Applies a change. A new status other than closed clears the reason for closing.
 *
 * @returns the version after the change; undefined when no such item with the expected version exists.
 */
export async function updateFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
  change: FeedbackChange,
): Promise<number | undefined> {
  const { status, priority, closedReason, viewed, version } = change
  const reason =
    closedReason !== undefined
      ? sql`${closedReason}::text`
      : status !== undefined && status !== 'closed'
        ? sql`null`
        : sql`closed_reason`
  const { rows } = await sql<{ version: number }>`
    update feedback
    set status = ${status === undefined ? sql`status` : status},
        priority = ${priority === undefined ? sql`priority` : priority},
        closed_reason = ${reason},
        first_viewed_at = ${viewed ? sql`coalesce(first_viewed_at, now())` : sql`first_viewed_at`}
    where organization_id = ${organizationId} and id = ${id}
      ${version === undefined ? sql`` : sql`and version = ${version}`}
    returning version
  `.execute(tx)
  return rows[0]?.version
}

/** Tells everyone who follows the organisation, once this transaction commits. */
export async function notifyFeedbackChanged(tx: TenantTx, notice: string): Promise<void> {
  await sql`select pg_notify('feedback_changed', ${notice})`.execute(tx)
}

/** Puts what was stored lately into the search index proper, so that no visitor's insert has to. */
export async function tidySearchIndex(database: Database): Promise<void> {
  await database.asSystem('the index holds the words of every organisation', async (tx) => {
    await sql`select set_config('synchronous_commit', 'off', true), app.tidy_search_index()`.execute(tx)
  })
}

/** Tells everyone who follows, about what is stored already. Reads and writes nothing, so it needs no role. */
export async function announceFeedback(database: Database, notices: readonly string[]): Promise<void> {
  // Nothing here outlives the listeners, so no disk is waited for; ingest has better use for it.
  await sql`
    select set_config('synchronous_commit', 'off', true), pg_notify('feedback_changed', notice)
    from unnest(${[...notices]}::text[]) as n (notice)
  `.execute(database.powerless)
}

function toItem(row: ItemRow): FeedbackListItem {
  return {
    id: row.id,
    projectId: row.project_id,
    number: row.number,
    type: row.type,
    source: row.source,
    status: row.status,
    priority: row.priority,
    excerpt: row.excerpt,
    rating: row.rating,
    visitorEmail: row.visitor_email,
    visitorName: row.visitor_name,
    pageUrl: row.page_url,
    createdAt: row.created_at.toISOString(),
    firstViewedAt: row.first_viewed_at?.toISOString() ?? null,
  }
}

function toEvent(row: EventRow): FeedbackEvent {
  return {
    id: row.id,
    field: row.field,
    from: row.from_value,
    to: row.to_value,
    actorName: row.actor_name,
    createdAt: row.created_at.toISOString(),
  }
}
