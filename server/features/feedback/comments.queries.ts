import { sql } from 'kysely'
import type { FeedbackComment, NewComment } from '#contract/conversation.ts'
import type { RenderedMail } from '#server/features/mail/mail.service.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

interface CommentRow
  extends Row<'feedback_comments', 'id' | 'kind' | 'text' | 'from_visitor' | 'solved' | 'delivery' | 'created_at'> {
  item_number: Row<'feedback', 'number'>['number'] | null
  mentions: FeedbackComment['mentions']
  author_name: string | null
}

const commentRows = (feedbackId: string) => sql`
  select c.id, c.kind, c.text, c.created_at, c.from_visitor, c.solved, c.delivery,
         coalesce(c.author_name || ' · ' || app.get_key_name(c.organization_id, c.author_user_id), c.author_name,
           app.name_agent(c.agent_name, coalesce(nullif(p.full_name, ''), p.email,
             app.get_key_name(c.organization_id, c.author_user_id)))) as author_name,
         case when c.feedback_id <> ${feedbackId} then (
           select f.number from feedback f where f.organization_id = c.organization_id and f.id = c.feedback_id
         ) end as item_number,
         array(
           select json_build_object('userId', m.id, 'name', coalesce(nullif(n.full_name, ''), n.email))
           from unnest(c.mentions) with ordinality as m (id, place)
           left join profiles n on n.user_id = m.id
           order by m.place
         ) as mentions
  from feedback_comments c
  left join profiles p on p.user_id = c.author_user_id
`

/** Comments on an item and on its duplicates, oldest first. */
export async function listComments(
  tx: TenantTx,
  organizationId: string,
  feedbackId: string,
): Promise<FeedbackComment[]> {
  const { rows } = await sql<CommentRow>`
    ${commentRows(feedbackId)}
    where c.organization_id = ${organizationId}
      and c.feedback_id in (
        select ${feedbackId}::uuid
        union all
        select f.id from feedback f where f.organization_id = ${organizationId} and f.merged_into = ${feedbackId})
    order by c.created_at, c.id
  `.execute(tx)
  return rows.map(toComment)
}

/** False when the id is taken: nothing was written. */
export async function insertComment(
  tx: TenantTx,
  comment: NewComment & { organizationId: string; feedbackId: string; authorUserId: string; mentions: string[] },
): Promise<boolean> {
  const { organizationId, id, feedbackId, kind, authorUserId, text, mentions } = comment
  const { rows } = await sql`
    insert into feedback_comments (organization_id, id, feedback_id, kind, author_user_id, text, mentions)
    values (${organizationId}, ${id}, ${feedbackId}, ${kind}, ${authorUserId}, ${text}, ${mentions}::uuid[])
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** The comment with this id, if it is by the same author on the same item. */
export async function findOwnComment(
  tx: TenantTx,
  options: { organizationId: string; feedbackId: string; authorUserId: string; id: string },
): Promise<FeedbackComment | undefined> {
  const { organizationId, feedbackId, authorUserId, id } = options
  const { rows } = await sql<CommentRow>`
    ${commentRows(feedbackId)}
    where c.organization_id = ${organizationId} and c.id = ${id}
      and c.feedback_id = ${feedbackId} and c.author_user_id = ${authorUserId}
  `.execute(tx)
  return rows[0] && toComment(rows[0])
}

/** The item and author as a reply's email shows them; undefined: no such item. */
export async function findReplySubject(tx: TenantTx, organizationId: string, feedbackId: string, authorUserId: string) {
  const { rows } = await sql<
    RowAs<'feedback', { number: 'number'; message: 'message'; visitorEmail: 'visitor_email' }> & {
      isInTrash: boolean
      projectName: Row<'projects', 'name'>['name']
      authorName: string | null
    }
  >`
    select f.number, f.message, f.visitor_email as "visitorEmail", f.deleted_at is not null as "isInTrash",
           r.name as "projectName", nullif(p.full_name, '') as "authorName"
    from feedback f
    join projects r on r.organization_id = f.organization_id and r.id = f.project_id
    left join profiles p on p.user_id = ${authorUserId}
    where f.organization_id = ${organizationId} and f.id = ${feedbackId}
  `.execute(tx)
  return rows[0]
}

/** Puts a reply's email to the item's visitor into the outbox. */
export async function queueReplyMail(
  tx: TenantTx,
  reply: { organizationId: string; commentId: string; emailId: string; senderName: string },
  mail: RenderedMail,
): Promise<void> {
  const { organizationId, commentId, emailId, senderName } = reply
  await sql`select app.queue_reply(
    ${organizationId}, ${commentId}, ${emailId}, ${senderName}, ${mail.subject}, ${mail.html}, ${mail.text})`.execute(
    tx,
  )
}

/** Marks a reply as unsent because the item has no address. */
export async function markReplyUnsent(tx: TenantTx, organizationId: string, commentId: string): Promise<void> {
  await sql`select app.mark_reply_unsent(${organizationId}, ${commentId})`.execute(tx)
}

/** Those of the ids that are members of the organisation. */
export async function findMembers(tx: TenantTx, organizationId: string, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<Row<'memberships', 'user_id'>>`
    select user_id from memberships where organization_id = ${organizationId} and user_id = any (${[...userIds]}::uuid[])
  `.execute(tx)
  return rows.map((row) => row.user_id)
}

function toComment(row: CommentRow): FeedbackComment {
  return {
    id: row.id,
    kind: row.kind,
    text: row.text,
    itemNumber: row.item_number,
    fromVisitor: row.from_visitor,
    solved: row.solved,
    mentions: row.mentions,
    delivery: row.delivery,
    authorName: row.author_name,
    createdAt: row.created_at.toISOString(),
  }
}
