import { sql } from 'kysely'
import type { FeedbackComment, NewComment } from '#contract/feedback.ts'
import type { TenantTx } from '#server/platform/database/database.ts'

interface CommentRow {
  id: string
  kind: FeedbackComment['kind']
  text: string
  author_name: string | null
  created_at: Date
}

const commentRows = sql`
  select c.id, c.kind, c.text, c.created_at, coalesce(nullif(p.full_name, ''), p.email) as author_name
  from feedback_comments c
  left join profiles p on p.user_id = c.author_user_id
`

/** What the team wrote about an item, oldest first. */
export async function listComments(
  tx: TenantTx,
  organizationId: string,
  feedbackId: string,
): Promise<FeedbackComment[]> {
  const { rows } = await sql<CommentRow>`
    ${commentRows}
    where c.organization_id = ${organizationId} and c.feedback_id = ${feedbackId}
    order by c.created_at, c.id
  `.execute(tx)
  return rows.map(toComment)
}

/** False when the id is taken: nothing was written. */
export async function insertComment(
  tx: TenantTx,
  comment: NewComment & { organizationId: string; feedbackId: string; authorUserId: string },
): Promise<boolean> {
  const { organizationId, id, feedbackId, kind, authorUserId, text } = comment
  const { rows } = await sql`
    insert into feedback_comments (organization_id, id, feedback_id, kind, author_user_id, text)
    values (${organizationId}, ${id}, ${feedbackId}, ${kind}, ${authorUserId}, ${text})
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** The comment with this id, where it is the same person's on the same item. */
export async function findOwnComment(
  tx: TenantTx,
  options: { organizationId: string; feedbackId: string; authorUserId: string; id: string },
): Promise<FeedbackComment | undefined> {
  const { organizationId, feedbackId, authorUserId, id } = options
  const { rows } = await sql<CommentRow>`
    ${commentRows}
    where c.organization_id = ${organizationId} and c.id = ${id}
      and c.feedback_id = ${feedbackId} and c.author_user_id = ${authorUserId}
  `.execute(tx)
  return rows[0] && toComment(rows[0])
}

function toComment(row: CommentRow): FeedbackComment {
  return {
    id: row.id,
    kind: row.kind,
    text: row.text,
    authorName: row.author_name,
    createdAt: row.created_at.toISOString(),
  }
}
