import { sql } from 'kysely'
import type {
  MailList,
  NewFeedbackNotification,
  NotificationChange,
  NotificationPreferences,
} from '#contract/notifications.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row, RowAs } from '#server/platform/database/row.ts'

interface PreferenceRow
  extends RowAs<'projects', { project_id: 'id'; project_name: 'name' }>,
    // Defaults stand in for a member without a row.
    Row<
      'notification_preferences',
      | 'new_feedback_mail'
      | 'new_feedback_app'
      | 'assigned_mail'
      | 'assigned_app'
      | 'mentioned_mail'
      | 'mentioned_app'
      | 'visitor_replied_mail'
      | 'visitor_replied_app'
    > {}

/** A member's preferences, in every project that is not archived or deleted. */
export async function getPreferences(
  tx: TenantTx,
  organizationId: string,
  userId: string,
): Promise<NotificationPreferences> {
  const { rows: general } = await sql<
    Row<'notification_settings', 'time_zone'> &
      Row<'organizations', 'mails_hold_words'> & {
        muted_mails: Refined<'notification_settings', 'muted_mails', MailList[]>
      }
  >`
    select coalesce(s.time_zone, 'UTC') as time_zone, coalesce(s.muted_mails, '{}') as muted_mails, o.mails_hold_words
    from organizations o
    left join notification_settings s on s.organization_id = o.id and s.user_id = ${userId}
    where o.id = ${organizationId}
  `.execute(tx)
  const { rows } = await sql<PreferenceRow>`
    select p.id as project_id, p.name as project_name,
      coalesce(n.new_feedback_mail, 'daily') as new_feedback_mail, coalesce(n.new_feedback_app, true) as new_feedback_app,
      coalesce(n.assigned_mail, true) as assigned_mail, coalesce(n.assigned_app, true) as assigned_app,
      coalesce(n.mentioned_mail, true) as mentioned_mail, coalesce(n.mentioned_app, true) as mentioned_app,
      coalesce(n.visitor_replied_mail, true) as visitor_replied_mail,
      coalesce(n.visitor_replied_app, true) as visitor_replied_app
    from projects p
    left join notification_preferences n
      on n.organization_id = p.organization_id and n.project_id = p.id and n.user_id = ${userId}
    where p.organization_id = ${organizationId} and p.archived_at is null
    order by lower(p.name), p.id
  `.execute(tx)
  return {
    timeZone: general[0]?.time_zone ?? 'UTC',
    mutedMails: general[0]?.muted_mails ?? [],
    mailsHoldWords: general[0]?.mails_hold_words ?? true,
    projects: rows.map((row) => ({
      projectId: row.project_id,
      projectName: row.project_name,
      newFeedback: { mail: row.new_feedback_mail, app: row.new_feedback_app },
      assigned: { mail: row.assigned_mail, app: row.assigned_app },
      mentioned: { mail: row.mentioned_mail, app: row.mentioned_app },
      visitorReplied: { mail: row.visitor_replied_mail, app: row.visitor_replied_app },
    })),
  }
}

/** False for a time zone that the database does not know. */
export async function isTimeZone(tx: TenantTx, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(tx)
  return rows.length > 0
}

/** Changes the settings for all projects. Does nothing for a non-member. */
export async function saveSettings(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  { timeZone, mutedMails }: Pick<NotificationChange, 'timeZone' | 'mutedMails'>,
): Promise<void> {
  await sql`
    insert into notification_settings as s (organization_id, user_id, time_zone, muted_mails)
    select organization_id, user_id, coalesce(${timeZone ?? null}, 'UTC'), coalesce(${mutedMails ?? null}::text[], '{}')
    from memberships where organization_id = ${organizationId} and user_id = ${userId}
    on conflict (organization_id, user_id) do update set
      time_zone = coalesce(${timeZone ?? null}, s.time_zone),
      muted_mails = coalesce(${mutedMails ?? null}::text[], s.muted_mails)
  `.execute(tx)
}

/** Changes preferences of projects. Items from before the first activation of emails are never emailed. */
export async function savePreferences(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  changes: NonNullable<NotificationChange['projects']>,
): Promise<void> {
  const rows = changes.map((change) => ({
    project_id: change.projectId,
    new_feedback_mail: change.newFeedback?.mail,
    new_feedback_app: change.newFeedback?.app,
    assigned_mail: change.assigned?.mail,
    assigned_app: change.assigned?.app,
    mentioned_mail: change.mentioned?.mail,
    mentioned_app: change.mentioned?.app,
    visitor_replied_mail: change.visitorReplied?.mail,
    visitor_replied_app: change.visitorReplied?.app,
  }))
  await sql`
    with given as materialized (
      select distinct on (g.project_id) g.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (
        project_id uuid, new_feedback_mail text, new_feedback_app boolean, assigned_mail boolean, assigned_app boolean,
        mentioned_mail boolean, mentioned_app boolean, visitor_replied_mail boolean, visitor_replied_app boolean)
      join projects p on p.organization_id = ${organizationId} and p.id = g.project_id
      order by g.project_id
    )
    insert into notification_preferences as n (
      organization_id, user_id, project_id, new_feedback_mail, new_feedback_app, assigned_mail, assigned_app,
      mentioned_mail, mentioned_app, visitor_replied_mail, visitor_replied_app, mailed_until)
    select m.organization_id, m.user_id, g.project_id,
      coalesce(g.new_feedback_mail, o.new_feedback_mail, 'daily'),
      coalesce(g.new_feedback_app, o.new_feedback_app, true),
      coalesce(g.assigned_mail, o.assigned_mail, true), coalesce(g.assigned_app, o.assigned_app, true),
      coalesce(g.mentioned_mail, o.mentioned_mail, true), coalesce(g.mentioned_app, o.mentioned_app, true),
      coalesce(g.visitor_replied_mail, o.visitor_replied_mail, true),
      coalesce(g.visitor_replied_app, o.visitor_replied_app, true),
      case when o.new_feedback_mail = 'off' and g.new_feedback_mail <> 'off' then now() else o.mailed_until end
    from given g
    join memberships m on m.organization_id = ${organizationId} and m.user_id = ${userId}
    left join notification_preferences o
      on o.organization_id = m.organization_id and o.user_id = m.user_id and o.project_id = g.project_id
    on conflict (organization_id, user_id, project_id) do update set
      new_feedback_mail = excluded.new_feedback_mail, new_feedback_app = excluded.new_feedback_app,
      assigned_mail = excluded.assigned_mail, assigned_app = excluded.assigned_app,
      mentioned_mail = excluded.mentioned_mail, mentioned_app = excluded.mentioned_app,
      visitor_replied_mail = excluded.visitor_replied_mail, visitor_replied_app = excluded.visitor_replied_app,
      mailed_until = coalesce(excluded.mailed_until, n.mailed_until)
  `.execute(tx)
}

export async function saveMailContent(tx: TenantTx, organizationId: string, mailsHoldWords: boolean): Promise<void> {
  await sql`
    update organizations set mails_hold_words = ${mailsHoldWords} where id = ${organizationId}
  `.execute(tx)
}

/**
 * Projects with unread items since the member's last look: counted from the items, a hundred at most of each project,
 * so that a thousand items for two hundred members cause no writes.
 */
export async function listNewFeedback(
  tx: TenantTx,
  organizationId: string,
  userId: string,
): Promise<NewFeedbackNotification[]> {
  const { rows } = await sql<
    RowAs<'projects', { project_id: 'id'; project_name: 'name' }> & { count: number; latest_at: Date }
  >`
    select p.id as project_id, p.name as project_name, u.count, u.latest_at
    from memberships m
    join projects p on p.organization_id = m.organization_id and p.archived_at is null
    left join notification_preferences n
      on n.organization_id = m.organization_id and n.user_id = m.user_id and n.project_id = p.id
    cross join lateral (
      select count(*)::int as count, max(i.created_at) as latest_at from (
        select f.created_at from feedback f
        where f.organization_id = m.organization_id and f.project_id = p.id and f.location = 'inbox'
          and f.first_viewed_at is null and f.source <> 'import'
          -- Items older than a month are not notified, and need not be scanned.
          and f.created_at > greatest(coalesce(n.seen_until, m.joined_at), now() - interval '30 days')
        order by f.created_at desc limit 100) as i) as u
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
      and coalesce(n.new_feedback_app, true) and u.count > 0
    order by u.latest_at desc, p.id
    limit 50
  `.execute(tx)
  return rows.map((row) => ({
    projectId: row.project_id,
    projectName: row.project_name,
    count: row.count,
    latestAt: row.latest_at.toISOString(),
  }))
}

/** Marks the new feedback of a project, or of all, as seen by the member. */
export async function markSeen(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  projectId: string | undefined,
): Promise<void> {
  await sql`
    insert into notification_preferences (organization_id, user_id, project_id, seen_until)
    select m.organization_id, m.user_id, p.id, now()
    from memberships m
    join projects p on p.organization_id = m.organization_id ${projectId ? sql`and p.id = ${projectId}` : sql``}
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
    order by p.id
    on conflict (organization_id, user_id, project_id) do update set seen_until = excluded.seen_until
  `.execute(tx)
}
