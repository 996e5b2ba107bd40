import { sql } from 'kysely'
import type { FeedbackStatus } from '#contract/feedback.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** Locks an item until the transaction ends. Undefined: no such item. */
export async function lockTracked(
  tx: SystemTx,
  organizationId: string,
  id: string,
): Promise<RowAs<'feedback', { status: 'status'; version: 'version' }> | undefined> {
  const { rows } = await sql<RowAs<'feedback', { status: 'status'; version: 'version' }>>`
    select status, version from feedback where organization_id = ${organizationId} and id = ${id} for no key update
  `.execute(tx)
  return rows[0]
}

/** Another status than closed has no reason for closing. */
export async function setTrackedStatus(
  tx: SystemTx,
  organizationId: string,
  id: string,
  status: FeedbackStatus,
): Promise<void> {
  await sql`
    update feedback set status = ${status},
      closed_reason = case when ${status} = 'closed' then coalesce(closed_reason, 'wont_fix') end
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

interface TrackedNoteRow extends RowAs<'feedback_comments', { id: 'id'; text: 'text' }> {
  readonly author: string
}

/** Notes of the team on an item, oldest first, without those of the integration. */
export async function listTrackedNotes(
  tx: SystemTx,
  { organizationId, id, integrationId }: { organizationId: string; id: string; integrationId: string },
): Promise<TrackedNoteRow[]> {
  const { rows } = await sql<TrackedNoteRow>`
    select c.id, c.text, coalesce(c.author_name, nullif(p.full_name, ''), p.email, k.name, i.name, 'A former member') as author
    from feedback_comments c
    left join profiles p on p.user_id = c.author_user_id
    left join api_keys k on k.organization_id = c.organization_id and k.id = c.author_user_id
    left join integrations i on i.organization_id = c.organization_id and i.id = c.author_user_id
    where c.organization_id = ${organizationId} and c.feedback_id = ${id} and c.kind = 'note'
      and c.author_user_id is distinct from ${integrationId}
    order by c.created_at, c.id
  `.execute(tx)
  return rows
}

/** False when the id is taken, or the item is gone: nothing was written. */
export async function insertTrackedNote(
  tx: SystemTx,
  note: { organizationId: string; id: string; feedbackId: string; integrationId: string; author: string; text: string },
): Promise<boolean> {
  const { organizationId, id, feedbackId, integrationId, author, text } = note
  const { rows } = await sql`
    insert into feedback_comments (organization_id, id, feedback_id, kind, author_user_id, author_name, text)
    select organization_id, ${id}, id, 'note', ${integrationId}, left(${author}, 200), left(${text}, 10000)
    from feedback where organization_id = ${organizationId} and id = ${feedbackId}
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}
