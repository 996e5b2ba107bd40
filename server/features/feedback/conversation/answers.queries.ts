import { sql } from 'kysely'
import type { VisitorConversation, VisitorMessage } from '#contract/visitor-conversation.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { ConversationOf } from './conversation-link.ts'

interface MessageRow extends Omit<VisitorMessage, 'createdAt'> {
  createdAt: Date
}

const messageRows = ({ organizationId, feedbackId }: ConversationOf) => sql`
  select c.id, c.from_visitor as "fromVisitor", c.text, c.solved, c.created_at as "createdAt",
         case when not c.from_visitor then coalesce(nullif(p.full_name, ''), r.name) end as "authorName"
  from feedback_comments c
  join feedback f on f.organization_id = c.organization_id and f.id = c.feedback_id
  join projects r on r.organization_id = f.organization_id and r.id = f.project_id
  left join profiles p on p.user_id = c.author_user_id
  where c.organization_id = ${organizationId} and c.feedback_id = ${feedbackId} and c.kind = 'reply'
`

/** The conversation as its visitor sees it; undefined when the item is gone or thrown away. */
export async function findConversation(tx: SystemTx, of: ConversationOf): Promise<VisitorConversation | undefined> {
  const { rows } = await sql<Omit<VisitorConversation, 'createdAt' | 'messages'> & { createdAt: Date }>`
    select r.name as "projectName", r.domain, f.number, coalesce(o.status, f.status) as status, f.message,
           f.created_at as "createdAt"
    from feedback f
    join projects r on r.organization_id = f.organization_id and r.id = f.project_id
    left join feedback o on o.organization_id = f.organization_id and o.id = f.merged_into
    where f.organization_id = ${of.organizationId} and f.id = ${of.feedbackId} and f.deleted_at is null
      and app.is_open_organization(f.organization_id)
  `.execute(tx)
  const conversation = rows[0]
  if (!conversation) return undefined
  const messages = await sql<MessageRow>`${messageRows(of)} order by c.created_at, c.id`.execute(tx)
  return {
    ...conversation,
    createdAt: conversation.createdAt.toISOString(),
    messages: messages.rows.map(toMessage),
  }
}

/** The item that takes an answer, and what it stands under; held until the transaction ends. */
export async function lockConversation(tx: SystemTx, of: ConversationOf) {
  const { rows } = await sql<{ topId: string }>`
    select coalesce(f.merged_into, f.id) as "topId"
    from feedback f
    where f.organization_id = ${of.organizationId} and f.id = ${of.feedbackId} and f.deleted_at is null
      and app.is_open_organization(f.organization_id)
    for update
  `.execute(tx)
  return rows[0]
}

/** False when the id is taken: nothing was written. */
export async function insertAnswer(
  tx: SystemTx,
  of: ConversationOf,
  answer: { id: string; text: string; solved: boolean | null },
): Promise<boolean> {
  const { rows } = await sql`
    insert into feedback_comments (organization_id, id, feedback_id, kind, text, from_visitor, solved)
    values (${of.organizationId}, ${answer.id}, ${of.feedbackId}, 'reply', ${answer.text}, true, ${answer.solved})
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** The answer with this id, where it belongs to this conversation. */
export async function findAnswer(tx: SystemTx, of: ConversationOf, id: string): Promise<VisitorMessage | undefined> {
  const { rows } = await sql<MessageRow>`${messageRows(of)} and c.id = ${id} and c.from_visitor`.execute(tx)
  return rows[0] && toMessage(rows[0])
}

/**
 * Brings an item that was done with back before the team: resolved becomes open, archived comes back into the inbox. The
 * history says that an answer did it.
 */
export async function reopenFeedback(tx: SystemTx, organizationId: string, feedbackId: string): Promise<void> {
  await sql`
    with reopened as (
      update feedback
      set status = case when status = 'resolved' then 'open' else status end, archived_at = null
      where organization_id = ${organizationId} and id = ${feedbackId}
        and (status = 'resolved' or archived_at is not null)
      returning id
    )
    insert into feedback_events (organization_id, feedback_id, field, to_value)
    select ${organizationId}, id, 'answer', 'reopened' from reopened
  `.execute(tx)
}

/** Whom an answer concerns: who looks after the item and who replied; else whom the team's notes named. */
export async function listConcerned(tx: SystemTx, of: ConversationOf, topId: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    with items as (select ${of.feedbackId}::uuid as id union select ${topId}::uuid),
    said as (
      select c.kind, c.author_user_id, c.mentions from feedback_comments c
      where c.organization_id = ${of.organizationId} and c.feedback_id in (select id from items)
    ),
    close as (
      select f.assignee_user_id as id from feedback f
      where f.organization_id = ${of.organizationId} and f.id in (select id from items)
      union
      select author_user_id from said where kind = 'reply'
    )
    select m.user_id as "userId" from memberships m
    where m.organization_id = ${of.organizationId} and m.user_id in (
      select id from close
      union
      select unnest(mentions) from said where not exists (select from close where id is not null))
  `.execute(tx)
  return rows.map(({ userId }) => userId)
}

function toMessage(row: MessageRow): VisitorMessage {
  return { ...row, createdAt: row.createdAt.toISOString() }
}
