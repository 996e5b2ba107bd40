import { sql } from 'kysely'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Refined, Row } from '#server/platform/database/row.ts'
import { isUnread } from './selection.queries.ts'

/** A row of the inbox, as {@link itemColumns} selects it. */
export interface ItemRow
  extends Row<
    'feedback',
    | 'id'
    | 'project_id'
    | 'number'
    | 'type'
    | 'source'
    | 'status'
    | 'priority'
    | 'rating'
    | 'nps'
    | 'tags'
    | 'visitor_email'
    | 'visitor_name'
    | 'visitor_id'
    | 'visitor_verified'
    | 'spam_reason'
    | 'snoozed_until'
    | 'assignee_user_id'
    | 'merged_into'
    | 'page_url'
    | 'created_at'
    | 'updated_at'
    | 'first_viewed_at'
    | 'last_reply_by'
    | 'locked'
    | 'version'
  > {
  excerpt: string
  location: Refined<'feedback', 'location', FeedbackListItem['location']>
  attachment_kinds: Row<'feedback_attachments', 'kind'>['kind'][]
  joined_visitors: string[] | null
  issues: FeedbackListItem['issues'] | null
  unread: boolean
}

/** Columns of a row of the inbox, from `feedback f`. */
export const itemColumns = sql`
  f.id, f.project_id, f.number, f.type, f.source, f.status, f.priority, left(f.message, 280) as excerpt, f.rating,
  f.nps, f.tags, f.visitor_email, f.visitor_name, f.visitor_id, f.visitor_verified, f.spam_reason, f.page_url,
  f.location, f.snoozed_until,
  f.assignee_user_id, f.merged_into, f.created_at, f.updated_at, f.first_viewed_at, f.last_reply_by,
  f.locked, f.version, ${isUnread} as unread,
  array(
    select a.kind from feedback_attachments a
    where a.organization_id = f.organization_id and a.feedback_id = f.id order by a.position, a.id
  ) as attachment_kinds,
  -- Two look-ups by key: null unless the visitor is joined with others. Each subquery hands on a plain value, because row
  -- security lets no index be searched for the result of lower().
  (select array_agg(distinct j.root_key) || array_agg(j.part_key)
   from (select coalesce(f.visitor_id, lower(f.visitor_email)) as key offset 0) as own
   cross join lateral (
     select coalesce((
       select o.root_key from visitor_joins o
       where o.organization_id = f.organization_id and o.part_key = own.key and o.separated_at is null), own.key) as key
     offset 0) as root
   join visitor_joins j
     on j.organization_id = f.organization_id and j.root_key = root.key and j.separated_at is null
  ) as joined_visitors,
  -- One look-up in an index for each row of a page: null unless it is linked.
  (select json_agg(json_build_object('state', l.state, 'label', l.label, 'status', l.status_name,
     'isDone', coalesce(l.stage in ('done', 'dropped'), false)) order by l.created_at, l.id)
   from issue_links l
   where l.organization_id = f.organization_id and l.feedback_id = f.id
  ) as issues
`

export function toItem(row: ItemRow): FeedbackListItem {
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
    nps: row.nps,
    tags: row.tags,
    attachmentKinds: row.attachment_kinds,
    visitorEmail: row.visitor_email,
    visitorName: row.visitor_name,
    visitorId: row.visitor_id,
    ...(row.joined_visitors && { joinedVisitors: row.joined_visitors }),
    visitorVerified: row.visitor_verified,
    spamReason: row.spam_reason,
    location: row.location,
    snoozedUntil: row.snoozed_until?.toISOString() ?? null,
    assigneeId: row.assignee_user_id,
    mergedInto: row.merged_into,
    pageUrl: row.page_url,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    locked: row.locked,
    version: row.version,
    firstViewedAt: row.first_viewed_at?.toISOString() ?? null,
    unread: row.unread,
    lastReplyBy: row.last_reply_by,
    issues: row.issues ?? [],
  }
}

/**
 * Rows of the named items, in no order, for members of the organisation: nothing of a project that is being deleted. Whether
 * one is unread depends on the member: see `listUnreadBy`.
 */
export async function listItems(
  tx: SystemTx,
  organizationId: string,
  ids: readonly string[],
): Promise<FeedbackListItem[]> {
  const { rows } = await sql<ItemRow>`
    select ${itemColumns}
    from unnest(${[...ids]}::uuid[]) as n (id)
    join feedback f on f.organization_id = ${organizationId} and f.id = n.id
    where f.project_id <> all ((select app.deleted_project_ids())::uuid[])
  `.execute(tx)
  return rows.map(toItem)
}
