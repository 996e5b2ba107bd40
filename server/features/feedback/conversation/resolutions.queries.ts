import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import type { RenderedMail } from '../../mail/mail.service.ts'

/** A resolved item whose visitor is to be told. */
export interface ResolvedItem
  extends RowAs<'feedback', { id: 'id'; number: 'number'; message: 'message' }>,
    RowAs<'projects', { projectName: 'name' }> {
  readonly visitorEmail: string
}

/**
 * Those of the items, and of the items merged into them, whose visitors are to be told that they are resolved, and were
 * not told before. Nothing of a project without that setting, of spam, of the trash or of an import.
 */
export async function listUntold(
  tx: SystemTx,
  organizationId: string,
  ids: readonly string[],
): Promise<ResolvedItem[]> {
  const { rows } = await sql<ResolvedItem>`
    select f.id, f.number, f.message, f.visitor_email as "visitorEmail", p.name as "projectName"
    from feedback f
    join projects p on p.organization_id = f.organization_id and p.id = f.project_id
    left join feedback t on t.organization_id = f.organization_id and t.id = f.merged_into
    where f.organization_id = ${organizationId}
      and (f.id = any (${[...ids]}::uuid[]) or f.merged_into = any (${[...ids]}::uuid[]))
      and p.emails_on_resolve and p.deleted_at is null
      and coalesce(t.status, f.status) = 'resolved'
      and f.visitor_email is not null and f.source <> 'import'
      and f.spam_reason is null and f.deleted_at is null and t.spam_reason is null and t.deleted_at is null
      and not exists (
        select from resolution_emails e where e.organization_id = f.organization_id and e.feedback_id = f.id)
    order by f.id
  `.execute(tx)
  return rows
}

/** Notes that the visitor of an item is told. False: they were before. Of two at once, one waits for the other. */
export async function noteTold(tx: SystemTx, organizationId: string, feedbackId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into resolution_emails (organization_id, feedback_id) values (${organizationId}, ${feedbackId})
    on conflict do nothing
    returning feedback_id
  `.execute(tx)
  return rows.length > 0
}

/** Puts the email into the outbox, in the thread of the item's replies. It is deleted with its item. */
export async function queueResolutionMail(
  tx: SystemTx,
  sent: { organizationId: string; feedbackId: string; emailId: string; to: string; senderName: string },
  mail: RenderedMail,
): Promise<void> {
  const { organizationId, feedbackId, emailId, to, senderName } = sent
  await sql`
    select app.queue_email(${emailId}, ${mail.kind}, ${to}, ${mail.subject}, ${mail.html}, ${mail.text})
  `.execute(tx)
  await sql`
    update app.emails set sender_name = ${senderName}, organization_id = ${organizationId}, feedback_id = ${feedbackId},
      refers_to = array[${feedbackId}::uuid] || array(
        select c.email_id from (
          select c.email_id, c.created_at from feedback_comments c
          where c.organization_id = ${organizationId} and c.feedback_id = ${feedbackId} and c.email_id is not null
          order by c.created_at desc limit 10
        ) as c
        order by c.created_at)
    where id = ${emailId}
  `.execute(tx)
}

/** Continues later with items whose visitors are still to be told. */
export async function postponeResolutions(
  tx: SystemTx,
  { organizationId, ids, seconds }: { organizationId: string; ids: readonly string[]; seconds: number },
): Promise<void> {
  await sql`
    select app.enqueue_job('email_resolutions', ${JSON.stringify({ organizationId, ids })}, null,
      now() + make_interval(secs => ${seconds}))
  `.execute(tx)
}
