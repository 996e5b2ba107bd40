import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'
import type { NotificationMail } from '../mail/mail.service.ts'
import type { MemberOf } from './digest.queries.ts'

/** The recipient of an email. */
export interface Recipient
  extends Readonly<RowAs<'organizations', { organizationName: 'name'; mailsHoldWords: 'mails_hold_words' }>>,
    Readonly<RowAs<'notification_settings', { mutedMails: 'muted_mails' }>> {
  readonly email: string
  /** Seconds until the next instant email; 0: now. */
  readonly waitSeconds: number
}

// Ten instant emails in ten minutes; later notifications wait and share one email.
const burstSize = 10
const burstSeconds = 600

/**
 * Locks the member's emails until the transaction ends, so that two jobs write none twice. Undefined: the member left,
 * or their account is unconfirmed, banned or deleted.
 */
export async function lockRecipient(
  tx: SystemTx,
  { organizationId, userId }: MemberOf,
): Promise<Recipient | undefined> {
  await sql`
    insert into notification_settings (organization_id, user_id)
    select organization_id, user_id from memberships
    where organization_id = ${organizationId} and user_id = ${userId}
    on conflict do nothing
  `.execute(tx)
  const { rows } = await sql<Recipient>`
    select a.email, o.name as "organizationName", o.mails_hold_words as "mailsHoldWords", s.muted_mails as "mutedMails",
      case when s.mails_sent >= ${burstSize}
        then greatest(0, ceil(extract(epoch from s.mails_since - now()) + ${burstSeconds}))::int else 0 end as "waitSeconds"
    from notification_settings s
    join organizations o on o.id = s.organization_id
    cross join lateral app.find_mailable(s.user_id) as a (email)
    where s.organization_id = ${organizationId} and s.user_id = ${userId}
    for no key update of s
  `.execute(tx)
  return rows[0]
}

/** Owners of an organisation, in one order for all, so that emails to several lock them without a deadlock. */
export async function listOwners(tx: SystemTx, organizationId: string): Promise<string[]> {
  const { rows } = await sql<Row<'memberships', 'user_id'>>`
    select user_id from memberships where organization_id = ${organizationId} and role = 'owner' order by user_id
  `.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** An owner who can be written to, also by those emails that no one can mute. */
export interface OwnerAddress
  extends Readonly<RowAs<'memberships', { userId: 'user_id' }>>,
    Readonly<RowAs<'organizations', { organizationName: 'name' }>> {
  readonly email: string
}

export async function listOwnerAddresses(tx: SystemTx, organizationId: string): Promise<OwnerAddress[]> {
  const { rows } = await sql<OwnerAddress>`
    select m.user_id as "userId", a.email, o.name as "organizationName"
    from memberships m
    join organizations o on o.id = m.organization_id
    cross join lateral app.find_mailable(m.user_id) as a (email)
    where m.organization_id = ${organizationId} and m.role = 'owner'
    order by m.user_id
  `.execute(tx)
  return rows
}

/** Counts an instant email to the member. */
export async function countInstantMail(tx: SystemTx, { organizationId, userId }: MemberOf): Promise<void> {
  await sql`
    update notification_settings set
      mails_sent = case when mails_since > now() - make_interval(secs => ${burstSeconds}) then mails_sent + 1 else 1 end,
      mails_since = case when mails_since > now() - make_interval(secs => ${burstSeconds}) then mails_since else now() end
    where organization_id = ${organizationId} and user_id = ${userId}
  `.execute(tx)
}

/** Marks today's digest as written, by the date in the member's time zone. */
export async function noteDailyDigest(tx: SystemTx, { organizationId, userId }: MemberOf): Promise<void> {
  await sql`
    update notification_settings set daily_digest_on = app.local_time(time_zone)::date
    where organization_id = ${organizationId} and user_id = ${userId}
  `.execute(tx)
}

/** Takes the member's unread notifications that wait for an email, and marks them as sent. */
export async function takeMailNotifications(
  tx: SystemTx,
  { organizationId, userId }: MemberOf,
): Promise<NotificationMail[]> {
  const { rows } = await sql<NotificationMail>`
    with due as (
      update notifications set mail_due = false
      where organization_id = ${organizationId} and user_id = ${userId} and mail_due
      returning organization_id, id, feedback_id, kind, actor_user_id, item_count, created_at, read_at
    )
    select f.id, f.number, p.name as "projectName", left(f.message, 500) as message, n.kind,
      coalesce(nullif(a.full_name, ''), a.email, 'API key “' || k.name || '”') as "actorName",
      n.item_count as "itemCount"
    from due n
    join feedback f on f.organization_id = n.organization_id and f.id = n.feedback_id and f.deleted_at is null
    join projects p on p.organization_id = f.organization_id and p.id = f.project_id
    left join profiles a on a.user_id = n.actor_user_id
    left join api_keys k on k.organization_id = n.organization_id and k.id = n.actor_user_id
    where n.read_at is null
    order by n.created_at, n.id
  `.execute(tx)
  return [...rows]
}

/** Runs an email job of a member or an organisation again later. */
export async function enqueueAgain(
  tx: SystemTx,
  job: { name: 'mail_notifications' | 'mail_new_feedback'; payload: object; key: string; seconds: number },
): Promise<void> {
  await sql`select app.enqueue_job(${job.name}, ${JSON.stringify(job.payload)}, ${job.key},
    now() + make_interval(secs => ${job.seconds}))`.execute(tx)
}
