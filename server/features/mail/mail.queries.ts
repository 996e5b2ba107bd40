import { sql } from 'kysely'
import type { AuthTx, SystemTx } from '#server/platform/database/database.ts'
import type { RenderedMail } from './mail-layout.ts'

export async function insertEmail(
  tx: AuthTx | SystemTx,
  { id, to, mail }: { id: string; to: string; mail: RenderedMail },
): Promise<void> {
  await sql`select app.queue_email(${id}, ${mail.kind}, ${to}, ${mail.subject}, ${mail.html}, ${mail.text})`.execute(tx)
}

/** The subject of an email that has an unsubscribe link. */
export interface ListedEmail {
  readonly to: string
  readonly mail: RenderedMail
  readonly unsubscribeUrl: string
  readonly organizationId: string
  /** The items that it names. */
  readonly feedbackIds: readonly string[]
}

/** Stores an email with an unsubscribe link; one about a single item is deleted with that item. */
export async function insertListedEmail(
  tx: SystemTx,
  { id, to, mail, unsubscribeUrl, organizationId, feedbackIds }: ListedEmail & { id: string },
): Promise<void> {
  await insertEmail(tx, { id, to, mail })
  const [feedbackId, ...others] = new Set(feedbackIds)
  await tx
    .updateTable('app.emails')
    .set({
      unsubscribe_url: unsubscribeUrl,
      organization_id: organizationId,
      feedback_id: others.length === 0 ? (feedbackId ?? null) : null,
    })
    .where('id', '=', id)
    .execute()
}

/** Stores an email whose answers go to another address than the sender's. */
export async function insertAnswerableEmail(
  tx: SystemTx,
  { replyTo, ...email }: { id: string; to: string; mail: RenderedMail; replyTo: string | null },
): Promise<void> {
  await insertEmail(tx, email)
  await tx.updateTable('app.emails').set({ reply_to: replyTo }).where('id', '=', email.id).execute()
}

/** An email whose id its sender chose. */
export interface IdentifiedEmail {
  readonly id: string
  readonly to: string
  readonly mail: RenderedMail
  readonly organizationId: string
  /** The item that it is about; null: none. */
  readonly feedbackId: string | null
}

/** Stores an email unless its id is known; it is deleted with its item. An item that is gone is left out. */
export async function insertEmailOnce(
  tx: SystemTx,
  { id, to, mail, organizationId, feedbackId }: IdentifiedEmail,
): Promise<void> {
  const known = await tx.selectFrom('app.emails').select('id').where('id', '=', id).executeTakeFirst()
  if (known) return
  await insertEmail(tx, { id, to, mail })
  await tx
    .updateTable('app.emails')
    .set({
      organization_id: organizationId,
      feedback_id: sql<string | null>`
        (select f.id from feedback f where f.organization_id = ${organizationId} and f.id = ${feedbackId})`,
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes unsent and failed emails to members that name one of the items among others. Sent emails have no body. */
export async function deleteWaitingEmails(
  tx: SystemTx,
  organizationId: string,
  feedbackIds: readonly string[],
): Promise<void> {
  await sql`
    delete from app.emails e
    where e.organization_id = ${organizationId} and e.sent_at is null
      and exists (select from unnest(${[...feedbackIds]}::text[]) as i (id) where strpos(e.text, i.id) > 0)
  `.execute(tx)
}

/** Requests one email of a kind to an address: 0 when it may be sent, else the seconds to wait. */
export async function beginEmailPause(
  tx: AuthTx | SystemTx,
  { kind, to, seconds }: { kind: string; to: string; seconds: number },
): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select app.begin_email_pause(${kind}, ${to}, ${seconds}) as wait`.execute(tx)
  return rows[0]?.wait ?? 0
}

/** Deletes emails sent or given up long ago; unsent ones are kept. @returns how many it deleted. */
export async function deleteOldEmails(tx: SystemTx, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from app.emails where id in (
      select id from app.emails
      where created_at < now() - make_interval(days => ${days})
        and coalesce(sent_at, failed_at) < now() - make_interval(days => ${days})
      order by created_at limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Empties the bodies of emails that failed so many days ago. @returns of how many. */
export async function emptyOldBodies(tx: SystemTx, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    update app.emails set html = '', text = '' where id in (
      select id from app.emails
      where failed_at < now() - make_interval(days => ${days}) and sent_at is null and (html <> '' or text <> '')
      order by created_at limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Pauses are short: a day-old row has no effect. @returns how many it deleted. */
export async function deleteOldPauses(tx: SystemTx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from app.email_pauses where (kind, address_hash) in (
      select kind, address_hash from app.email_pauses
      where asked_at < now() - interval '1 day'
      order by asked_at limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
