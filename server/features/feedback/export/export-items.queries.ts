import { type RawBuilder, sql } from 'kysely'
import type { FeedbackComment } from '#contract/conversation.ts'
import type { FeedbackDetail, FeedbackEvent } from '#contract/feedback.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row, RowAs } from '#server/platform/database/row.ts'
import { findSearch } from '../search.queries.ts'
import { followJoins, matchesSelection } from '../selection.queries.ts'

/** An exported item, without its files. */
export interface ItemRecord
  extends Readonly<
    RowAs<
      'feedback',
      {
        id: 'id'
        number: 'number'
        projectId: 'project_id'
        type: 'type'
        source: 'source'
        status: 'status'
        closedReason: 'closed_reason'
        priority: 'priority'
        message: 'message'
        rating: 'rating'
        nps: 'nps'
        tags: 'tags'
        consent: 'consent'
        visitorName: 'visitor_name'
        visitorEmail: 'visitor_email'
        visitorId: 'visitor_id'
        visitorVerified: 'visitor_verified'
        spamReason: 'spam_reason'
        mergedInto: 'merged_into'
        pageUrl: 'page_url'
        pageTitle: 'page_title'
        createdAt: 'created_at'
        updatedAt: 'updated_at'
        firstViewedAt: 'first_viewed_at'
        firstResponseAt: 'first_response_at'
        resolvedAt: 'resolved_at'
      }
    >
  > {
  readonly location: Refined<'feedback', 'location', FeedbackDetail['location']>
  readonly context: Refined<'feedback', 'context', Record<string, unknown>>
  readonly metadata: Refined<'feedback', 'metadata', Record<string, unknown>>
  readonly project: string
  readonly assignee: string | null
  /** By the id of the question. */
  readonly answers: Refined<'feedback', 'fields', Readonly<Record<string, string | boolean>>>
  readonly commentCount: number
  /** The creation time to the microsecond, for the next page. */
  readonly place_time: string
}

/** An exported comment. */
export type ExportComment = Omit<FeedbackComment, 'mentions' | 'delivery'>

/** An item that is merged into another. */
export type ExportDuplicate = Readonly<Row<'feedback', 'id' | 'number'>>

/** The comments, history and duplicates of items. */
export interface Conversations {
  readonly comments: ReadonlyMap<string, ExportComment[]>
  readonly history: ReadonlyMap<string, FeedbackEvent[]>
  readonly duplicates: ReadonlyMap<string, ExportDuplicate[]>
}

/** The start of the next page. */
export interface ItemPlace {
  readonly createdAt: string
  readonly id: string
}

/** The condition of a selection as the inbox shows it: mistyped words stand for similar known words. */
async function matchesList(
  tx: TenantTx,
  organizationId: string,
  selection: FeedbackSelection,
): Promise<RawBuilder<boolean>> {
  const search = selection.q === undefined ? undefined : await findSearch(tx, organizationId, selection.q)
  return matchesSelection(await followJoins(tx, organizationId, selection), search?.query)
}

/** Counts the items to export: those that existed at the time, and match now. */
export async function countItems(
  tx: TenantTx,
  organizationId: string,
  selection: FeedbackSelection,
  until: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from feedback f
    where f.organization_id = ${organizationId} and f.created_at <= ${until} and ${await matchesList(tx, organizationId, selection)}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** The next items that existed at the time and match now, newest first. */
export async function listItems(
  tx: TenantTx,
  organizationId: string,
  selection: FeedbackSelection,
  until: Date,
  after: ItemPlace | undefined,
  limit: number,
): Promise<ItemRecord[]> {
  // In the order of an index: sorting for each page would cost more with every item. The planner chooses the sort while
  // a table has grown since its last ANALYZE.
  await sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(tx)
  const { rows } = await sql<ItemRecord>`
    with page as materialized (
      select f.id, f.created_at from feedback f
      where f.organization_id = ${organizationId} and f.created_at <= ${until}
        ${after ? sql`and (f.created_at, f.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``}
        and ${await matchesList(tx, organizationId, selection)}
      order by f.created_at desc, f.id desc
      limit ${limit}
    )
    select f.id, f.number, f.project_id as "projectId", p.name as project, f.type, f.source, f.status,
      f.closed_reason as "closedReason", f.priority, f.message, f.rating, f.nps, f.tags, f.fields as answers, f.consent,
      f.visitor_name as "visitorName", f.visitor_email as "visitorEmail", f.visitor_id as "visitorId",
      f.visitor_verified as "visitorVerified", f.location, f.spam_reason as "spamReason", f.merged_into as "mergedInto",
      f.page_url as "pageUrl", f.page_title as "pageTitle", f.context, f.metadata,
      coalesce(nullif(a.full_name, ''), a.email) as assignee,
      (select count(*)
        from (
          select f.id
          union all
          select d.id from feedback d where d.organization_id = ${organizationId} and d.merged_into = f.id
        ) as s (id)
        join feedback_comments c on c.organization_id = ${organizationId} and c.feedback_id = s.id) as "commentCount",
      f.created_at as "createdAt", f.updated_at as "updatedAt", f.first_viewed_at as "firstViewedAt",
      f.first_response_at as "firstResponseAt", f.resolved_at as "resolvedAt",
      to_char(f.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place_time
    from page
    -- One look-up each, whatever the planner assumes about the tables' sizes.
    cross join lateral (
      select i.* from feedback i where i.organization_id = ${organizationId} and i.id = page.id limit 1
    ) f
    left join lateral (
      select j.name from projects j where j.organization_id = ${organizationId} and j.id = f.project_id limit 1
    ) p on true
    left join lateral (
      select u.full_name, u.email from profiles u where u.user_id = f.assignee_user_id limit 1
    ) a on true
    order by page.created_at desc, page.id desc
  `.execute(tx)
  return rows
}

/**
 * Comments on some items and on their duplicates, as the inbox shows them; the items' history, and their duplicates.
 * Oldest first, by item.
 */
export async function listConversations(
  tx: TenantTx,
  organizationId: string,
  ids: readonly string[],
): Promise<Conversations> {
  const wanted = sql`${[...ids]}::uuid[]`
  const comments = await sql<Omit<ExportComment, 'createdAt'> & { feedback_id: string; createdAt: Date }>`
    select w.id as feedback_id, c.id, c.kind, c.text, s.number as "itemNumber", c.from_visitor as "fromVisitor", c.solved,
      app.name_agent(c.agent_name, coalesce(nullif(p.full_name, ''), p.email,
        app.get_key_name(c.organization_id, c.author_user_id))) as "authorName",
      c.created_at as "createdAt"
    from unnest(${wanted}) as w (id)
    cross join lateral (
      select w.id, null::bigint as number
      union all
      select d.id, d.number from feedback d where d.organization_id = ${organizationId} and d.merged_into = w.id
    ) as s
    join feedback_comments c on c.organization_id = ${organizationId} and c.feedback_id = s.id
    left join profiles p on p.user_id = c.author_user_id
    order by c.created_at, c.id
  `.execute(tx)
  const duplicates = await sql<ExportDuplicate & { feedback_id: string }>`
    select d.merged_into as feedback_id, d.id, d.number
    from feedback d
    where d.organization_id = ${organizationId} and d.merged_into = any (${wanted})
    order by d.created_at, d.id
  `.execute(tx)
  const events = await sql<Omit<FeedbackEvent, 'createdAt'> & { feedback_id: string; createdAt: Date }>`
    select e.feedback_id, e.id, e.field, e.from_value as "from", e.to_value as "to",
      app.name_agent(e.agent_name, coalesce(nullif(p.full_name, ''), p.email,
        app.get_key_name(e.organization_id, e.actor_user_id))) as "actorName",
      e.created_at as "createdAt"
    from feedback_events e
    left join profiles p on p.user_id = e.actor_user_id
    where e.organization_id = ${organizationId} and e.feedback_id = any (${wanted})
    order by e.created_at, e.field, e.id
  `.execute(tx)
  return {
    comments: groupByItem(comments.rows),
    history: groupByItem(events.rows),
    duplicates: new Map(
      [...Map.groupBy(duplicates.rows, (row) => row.feedback_id)].map(([id, own]) => [
        id,
        own.map(({ feedback_id: _, ...duplicate }) => duplicate),
      ]),
    ),
  }
}

function groupByItem<Row extends { feedback_id: string; createdAt: Date }>(
  rows: readonly Row[],
): ReadonlyMap<string, (Omit<Row, 'feedback_id' | 'createdAt'> & { createdAt: string })[]> {
  const groups = Map.groupBy(rows, (row) => row.feedback_id)
  return new Map(
    [...groups].map(([id, own]) => [
      id,
      own.map(({ feedback_id: _, createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })),
    ]),
  )
}

/** A current or former question of a project's widget that some of the items answer. */
export interface Question {
  readonly id: string
  readonly label: string
}

/** The questions that items which match have answers to, those of the projects' settings first. */
export async function listQuestions(
  tx: TenantTx,
  organizationId: string,
  selection: FeedbackSelection,
  limit: number,
): Promise<Question[]> {
  const { rows } = await sql<Question>`
    with answered as (
      select distinct k.id
      from feedback f
      cross join lateral jsonb_object_keys(f.fields) as k (id)
      where f.organization_id = ${organizationId} and f.fields <> '{}' and ${await matchesList(tx, organizationId, selection)}
    ),
    asked as (
      select distinct on (q.id) q.id, q.label, q.place
      from widgets w
      cross join lateral rows from (
        jsonb_to_recordset(case when jsonb_typeof(w.settings -> 'fields') = 'array' then w.settings -> 'fields' else '[]' end)
          as (id text, label text)
      ) with ordinality as q (id, label, place)
      where w.organization_id = ${organizationId}
      order by q.id, q.place
    )
    select a.id, coalesce(q.label, a.id) as label
    from answered a
    left join asked q on q.id = a.id
    order by q.place nulls last, a.id
    limit ${limit}
  `.execute(tx)
  return rows
}
