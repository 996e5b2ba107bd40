import { sql } from 'kysely'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Refined, Row } from '#server/platform/database/row.ts'

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
    | 'assignee_user_id'
    | 'merged_into'
    | 'page_url'
    | 'created_at'
    | 'updated_at'
    | 'first_viewed_at'
    | 'version'
  > {
  excerpt: string
  location: Refined<'feedback', 'location', FeedbackListItem['location']>
  attachment_kinds: Row<'feedback_attachments', 'kind'>['kind'][]
}

/** Columns of a row of the inbox, from `feedback f`. */
export const itemColumns = sql`
  f.id, f.project_id, f.number, f.type, f.source, f.status, f.priority, left(f.message, 280) as excerpt, f.rating,
  f.nps, f.tags, f.visitor_email, f.visitor_name, f.visitor_id, f.visitor_verified, f.spam_reason, f.page_url,
  f.location,
  f.assignee_user_id, f.merged_into, f.created_at, f.updated_at, f.first_viewed_at, f.version,
  array(
    select a.kind from feedback_attachments a
    where a.organization_id = f.organization_id and a.feedback_id = f.id order by a.position, a.id
  ) as attachment_kinds
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
    visitorVerified: row.visitor_verified,
    spamReason: row.spam_reason,
    location: row.location,
    assigneeId: row.assignee_user_id,
    mergedInto: row.merged_into,
    pageUrl: row.page_url,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    firstViewedAt: row.first_viewed_at?.toISOString() ?? null,
  }
}

/** Rows of the named items, in no order, for members of the organisation: nothing of a project that is being deleted. */
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
