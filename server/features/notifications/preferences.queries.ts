import { type RawBuilder, sql } from 'kysely'
import type {
  ChoicesChange,
  MailList,
  NewFeedbackNotification,
  NotificationChange,
  NotificationChoices,
  NotificationPreferences,
} from '#contract/notifications.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row, RowAs } from '#server/platform/database/row.ts'

type ChoiceColumn =
  | 'new_feedback_mail'
  | 'new_feedback_app'
  | 'assigned_mail'
  | 'assigned_app'
  | 'mentioned_mail'
  | 'mentioned_app'
  | 'visitor_replied_mail'
  | 'visitor_replied_app'

// Defaults stand in for a member without a row.
type ChoiceRow = Row<'notification_settings', ChoiceColumn>

/** What applies to all projects, with the member's settings `s` outer-joined. */
const forAllProjects = sql`
  coalesce(s.new_feedback_mail, 'daily') as new_feedback_mail, coalesce(s.new_feedback_app, true) as new_feedback_app,
  coalesce(s.assigned_mail, true) as assigned_mail, coalesce(s.assigned_app, true) as assigned_app,
  coalesce(s.mentioned_mail, true) as mentioned_mail, coalesce(s.mentioned_app, true) as mentioned_app,
  coalesce(s.visitor_replied_mail, true) as visitor_replied_mail,
  coalesce(s.visitor_replied_app, true) as visitor_replied_app`

/** A member's preferences: for all projects, and for each project with choices of its own that is not archived or deleted. */
export async function getPreferences(
  tx: TenantTx,
  organizationId: string,
  userId: string,
): Promise<NotificationPreferences> {
  const { rows: general } = await sql<
    ChoiceRow &
      Row<'notification_settings', 'time_zone'> &
      Row<'organizations', 'mails_hold_words'> & {
        muted_mails: Refined<'notification_settings', 'muted_mails', MailList[]>
      }
  >`
    select coalesce(s.time_zone, 'UTC') as time_zone, coalesce(s.muted_mails, '{}') as muted_mails, o.mails_hold_words,
      ${forAllProjects}
    from organizations o
    left join notification_settings s on s.organization_id = o.id and s.user_id = ${userId}
    where o.id = ${organizationId}
  `.execute(tx)
  const [all] = general
  if (!all) throw new Error('The organisation is gone.')
  const { rows } = await sql<
    RowAs<'projects', { project_id: 'id'; project_name: 'name' }> & Row<'notification_preferences', ChoiceColumn>
  >`
    select p.id as project_id, p.name as project_name, n.new_feedback_mail, n.new_feedback_app, n.assigned_mail,
      n.assigned_app, n.mentioned_mail, n.mentioned_app, n.visitor_replied_mail, n.visitor_replied_app
    from projects p
    join notification_preferences n
      on n.organization_id = p.organization_id and n.project_id = p.id and n.user_id = ${userId}
    where p.organization_id = ${organizationId} and p.archived_at is null
      -- A row may only tell what was seen or emailed.
      and num_nonnulls(n.new_feedback_mail, n.new_feedback_app, n.assigned_mail, n.assigned_app, n.mentioned_mail,
        n.mentioned_app, n.visitor_replied_mail, n.visitor_replied_app) > 0
    order by lower(p.name), p.id
  `.execute(tx)
  return {
    timeZone: all.time_zone,
    mutedMails: all.muted_mails,
    mailsHoldWords: all.mails_hold_words,
    allProjects: toChoices(all),
    exceptions: rows.map(({ project_id: projectId, project_name: projectName, ...own }) => ({
      projectId,
      projectName,
      ...toChoices({
        new_feedback_mail: own.new_feedback_mail ?? all.new_feedback_mail,
        new_feedback_app: own.new_feedback_app ?? all.new_feedback_app,
        assigned_mail: own.assigned_mail ?? all.assigned_mail,
        assigned_app: own.assigned_app ?? all.assigned_app,
        mentioned_mail: own.mentioned_mail ?? all.mentioned_mail,
        mentioned_app: own.mentioned_app ?? all.mentioned_app,
        visitor_replied_mail: own.visitor_replied_mail ?? all.visitor_replied_mail,
        visitor_replied_app: own.visitor_replied_app ?? all.visitor_replied_app,
      }),
    })),
  }
}

function toChoices(row: ChoiceRow): NotificationChoices {
  return {
    newFeedback: { mail: row.new_feedback_mail, app: row.new_feedback_app },
    assigned: { mail: row.assigned_mail, app: row.assigned_app },
    mentioned: { mail: row.mentioned_mail, app: row.mentioned_app },
    visitorReplied: { mail: row.visitor_replied_mail, app: row.visitor_replied_app },
  }
}

function toColumns(change: ChoicesChange): Partial<Record<ChoiceColumn, string | boolean | undefined>> {
  return {
    new_feedback_mail: change.newFeedback?.mail,
    new_feedback_app: change.newFeedback?.app,
    assigned_mail: change.assigned?.mail,
    assigned_app: change.assigned?.app,
    mentioned_mail: change.mentioned?.mail,
    mentioned_app: change.mentioned?.app,
    visitor_replied_mail: change.visitorReplied?.mail,
    visitor_replied_app: change.visitorReplied?.app,
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

/** Changes what applies to every project without a choice of its own. Does nothing for a non-member. */
export async function saveForAllProjects(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  change: ChoicesChange,
): Promise<void> {
  if (turnsOnMail(change)) await skipEarlierFeedback(tx, organizationId, userId)
  await sql`
    insert into notification_settings as s (organization_id, user_id, new_feedback_mail, new_feedback_app, assigned_mail,
      assigned_app, mentioned_mail, mentioned_app, visitor_replied_mail, visitor_replied_app)
    select m.organization_id, m.user_id,
      coalesce(g.new_feedback_mail, o.new_feedback_mail, 'daily'),
      coalesce(g.new_feedback_app, o.new_feedback_app, true),
      coalesce(g.assigned_mail, o.assigned_mail, true), coalesce(g.assigned_app, o.assigned_app, true),
      coalesce(g.mentioned_mail, o.mentioned_mail, true), coalesce(g.mentioned_app, o.mentioned_app, true),
      coalesce(g.visitor_replied_mail, o.visitor_replied_mail, true),
      coalesce(g.visitor_replied_app, o.visitor_replied_app, true)
    from memberships m
    cross join jsonb_populate_record(null::notification_settings, ${JSON.stringify(toColumns(change))}::jsonb) g
    left join notification_settings o on o.organization_id = m.organization_id and o.user_id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
    on conflict (organization_id, user_id) do update set
      new_feedback_mail = excluded.new_feedback_mail, new_feedback_app = excluded.new_feedback_app,
      assigned_mail = excluded.assigned_mail, assigned_app = excluded.assigned_app,
      mentioned_mail = excluded.mentioned_mail, mentioned_app = excluded.mentioned_app,
      visitor_replied_mail = excluded.visitor_replied_mail, visitor_replied_app = excluded.visitor_replied_app
  `.execute(tx)
}

/** Changes the choices for single projects. */
export async function saveForProjects(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  changes: NonNullable<NotificationChange['projects']>,
): Promise<void> {
  const turnedOn = changes.filter((change) => change.asAllProjects || turnsOnMail(change))
  if (turnedOn.length > 0) {
    const projectIds = turnedOn.map(({ projectId }) => projectId)
    await skipEarlierFeedback(tx, organizationId, userId, projectIds)
  }
  const rows = changes.map(({ projectId, asAllProjects = false, ...change }) => ({
    project_id: projectId,
    as_all_projects: asAllProjects,
    ...toColumns(change),
  }))
  await sql`
    with given as materialized (
      select distinct on (g.project_id) g.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (
        project_id uuid, as_all_projects boolean, new_feedback_mail text, new_feedback_app boolean, assigned_mail boolean,
        assigned_app boolean, mentioned_mail boolean, mentioned_app boolean, visitor_replied_mail boolean,
        visitor_replied_app boolean)
      join projects p on p.organization_id = ${organizationId} and p.id = g.project_id
      order by g.project_id
    )
    insert into notification_preferences as n (
      organization_id, user_id, project_id, new_feedback_mail, new_feedback_app, assigned_mail, assigned_app,
      mentioned_mail, mentioned_app, visitor_replied_mail, visitor_replied_app)
    select m.organization_id, m.user_id, g.project_id,
      coalesce(g.new_feedback_mail, o.new_feedback_mail), coalesce(g.new_feedback_app, o.new_feedback_app),
      coalesce(g.assigned_mail, o.assigned_mail), coalesce(g.assigned_app, o.assigned_app),
      coalesce(g.mentioned_mail, o.mentioned_mail), coalesce(g.mentioned_app, o.mentioned_app),
      coalesce(g.visitor_replied_mail, o.visitor_replied_mail), coalesce(g.visitor_replied_app, o.visitor_replied_app)
    from given g
    join memberships m on m.organization_id = ${organizationId} and m.user_id = ${userId}
    left join notification_preferences o
      on o.organization_id = m.organization_id and o.user_id = m.user_id and o.project_id = g.project_id
      and not g.as_all_projects
    on conflict (organization_id, user_id, project_id) do update set
      new_feedback_mail = excluded.new_feedback_mail, new_feedback_app = excluded.new_feedback_app,
      assigned_mail = excluded.assigned_mail, assigned_app = excluded.assigned_app,
      mentioned_mail = excluded.mentioned_mail, mentioned_app = excluded.mentioned_app,
      visitor_replied_mail = excluded.visitor_replied_mail, visitor_replied_app = excluded.visitor_replied_app
  `.execute(tx)
}

function turnsOnMail({ newFeedback }: ChoicesChange): boolean {
  return newFeedback?.mail !== undefined && newFeedback.mail !== 'off'
}

/**
 * Before emails about new feedback are turned on: feedback that came while they were off is never emailed.
 *
 * @param projectIds default: all that have no choice of their own.
 */
async function skipEarlierFeedback(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  projectIds?: readonly string[],
): Promise<void> {
  const ofProjects = projectIds ? sql`p.id = any(${[...projectIds]}::uuid[])` : sql`o.new_feedback_mail is null`
  await sql`
    insert into notification_preferences as n (organization_id, user_id, project_id, mailed_until)
    select m.organization_id, m.user_id, p.id, now()
    from memberships m
    join projects p on p.organization_id = m.organization_id
    left join notification_settings s on s.organization_id = m.organization_id and s.user_id = m.user_id
    left join notification_preferences o
      on o.organization_id = m.organization_id and o.user_id = m.user_id and o.project_id = p.id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
      and ${ofProjects}
      and coalesce(o.new_feedback_mail, s.new_feedback_mail) = 'off'
    order by p.id
    on conflict (organization_id, user_id, project_id) do update set mailed_until = excluded.mailed_until
  `.execute(tx)
}

export async function saveMailContent(tx: TenantTx, organizationId: string, mailsHoldWords: boolean): Promise<void> {
  await sql`
    update organizations set mails_hold_words = ${mailsHoldWords} where id = ${organizationId}
  `.execute(tx)
}

/** Newest unopened items that are counted for all projects at once. */
const countedAtOnce = 1000
const countedOfProject = 100

/**
 * Projects with unread items since the member's last look: counted from the items, a hundred at most of each project,
 * so that a thousand items for two hundred members cause no writes. The newest items of all projects are read together,
 * because a look at each of hundreds of projects takes longer. Only beyond `countedAtOnce` is each project looked at that
 * may have more.
 */
export async function listNewFeedback(
  tx: TenantTx,
  organizationId: string,
  userId: string,
): Promise<NewFeedbackNotification[]> {
  const { rows } = await sql<
    RowAs<'projects', { project_id: 'id'; project_name: 'name' }> & { count: number; latest_at: Date }
  >`
    with own as materialized (
      select p.id, p.name,
        -- Items older than a month are not notified, and need not be scanned.
        greatest(coalesce(n.seen_until, m.joined_at), now() - interval '30 days') as since
      from memberships m
      join projects p on p.organization_id = m.organization_id and p.archived_at is null
      left join notification_settings s on s.organization_id = m.organization_id and s.user_id = m.user_id
      left join notification_preferences n
        on n.organization_id = m.organization_id and n.user_id = m.user_id and n.project_id = p.id
      where m.organization_id = ${organizationId} and m.user_id = ${userId}
        and coalesce(n.new_feedback_app, s.new_feedback_app, true)
    ), newest as materialized (
      select f.project_id, f.created_at from feedback f
      where ${isNew(organizationId)} and f.created_at > (select min(own.since) from own)
      order by f.created_at desc limit ${countedAtOnce + 1}
    ), read as materialized (
      select count(*) > ${countedAtOnce} as is_cut from newest
    ), counted as materialized (
      select own.id, count(*) as count, max(newest.created_at) as latest_at
      from newest join own on own.id = newest.project_id and newest.created_at > own.since
      group by own.id
    )
    select own.id as project_id, own.name as project_name, u.count, u.latest_at
    from own cross join read
    left join counted on counted.id = own.id
    cross join lateral (
      select least(counted.count, ${countedOfProject})::int as count, counted.latest_at
      where counted.count > 0 and (not read.is_cut or counted.count >= ${countedOfProject})
      union all
      select count(*)::int, max(i.created_at) from (
        select f.created_at from feedback f
        where ${isNew(organizationId)} and f.project_id = own.id and f.created_at > own.since
          and read.is_cut and coalesce(counted.count, 0) < ${countedOfProject}
        order by f.created_at desc limit ${countedOfProject}) as i
      having count(*) > 0
    ) as u
    order by u.latest_at desc, own.id
    limit 50
  `.execute(tx)
  return rows.map((row) => ({
    projectId: row.project_id,
    projectName: row.project_name,
    count: row.count,
    latestAt: row.latest_at.toISOString(),
  }))
}

/** Whether an item `f` may be told as new feedback. */
function isNew(organizationId: string): RawBuilder<boolean> {
  return sql<boolean>`f.organization_id = ${organizationId} and f.location = 'inbox' and f.first_viewed_at is null
    and f.source <> 'import'`
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
