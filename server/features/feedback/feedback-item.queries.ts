import { sql } from 'kysely'
import type { FeedbackListItem } from '#contract/feedback.ts'

/** A row of the inbox, as {@link itemColumns} selects it. */
export interface ItemRow {
  id: string
  project_id: string
  number: number
  type: FeedbackListItem['type']
  source: FeedbackListItem['source']
  status: FeedbackListItem['status']
  priority: FeedbackListItem['priority']
  excerpt: string
  rating: number | null
  nps: number | null
  tags: string[]
  attachment_kinds: FeedbackListItem['attachmentKinds']
  visitor_email: string | null
  visitor_name: string | null
  visitor_id: string | null
  visitor_verified: boolean
  spam_reason: string | null
  place: FeedbackListItem['place']
  assignee_user_id: string | null
  merged_into: string | null
  page_url: string
  created_at: Date
  updated_at: Date
  first_viewed_at: Date | null
  version: number
}

/** Columns of a row of the inbox, from `feedback f`. */
export const itemColumns = sql`
  f.id, f.project_id, f.number, f.type, f.source, f.status, f.priority, left(f.message, 280) as excerpt, f.rating,
  f.nps, f.tags, f.visitor_email, f.visitor_name, f.visitor_id, f.visitor_verified, f.spam_reason, f.page_url,
  f.place,
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
    place: row.place,
    assigneeId: row.assignee_user_id,
    mergedInto: row.merged_into,
    pageUrl: row.page_url,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    firstViewedAt: row.first_viewed_at?.toISOString() ?? null,
  }
}
