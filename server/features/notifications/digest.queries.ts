import { type RawBuilder, sql } from 'kysely'
import type { DigestMode } from '#contract/notifications.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

export type MailedMode = Exclude<DigestMode, 'off'>

/** A member of an organisation. */
export interface MemberOf {
  readonly organizationId: string
  readonly userId: string
}

/** New items of a project for an email: their number, and the newest of them. */
export interface NewItems {
  readonly projectId: string
  readonly projectName: string
  readonly count: number
  readonly items: readonly { id: string; number: number; message: string }[]
}

// An item's time is its transaction's start, but it shows at the commit: items younger than the longest transaction
// could still get older neighbours. Those would be skipped permanently.
const settled = sql`now() - interval '25 seconds'`

// Bounds an email after a long outage or silence.
const reach: Record<MailedMode, RawBuilder<unknown>> = {
  instant: sql`interval '1 day'`,
  hourly: sql`interval '1 day'`,
  daily: sql`interval '3 days'`,
}

const itemsShown = 10

/**
 * Items to email, with `m`, `p` and `n` joined: those that arrived, and those whose time has passed but which can be read only now. Two
 * queries, each with an index of its own; with "or", all items of the inbox are read.
 */
function selectNews(mode: MailedMode, until: RawBuilder<unknown>, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  const since = sql`greatest(coalesce(n.mailed_until, m.joined_at), now() - ${reach[mode]})`
  const isUnseen = sql`f.organization_id = m.organization_id and f.project_id = p.id and f.location = 'inbox'
    and f.first_viewed_at is null and f.source <> 'import' and not f.locked`
  const hasArrived = sql<boolean>`(f.created_at > ${since} and f.created_at <= ${until})`
  return sql`
    select ${columns} from feedback f where ${isUnseen} and ${hasArrived}
    union all
    select ${columns} from feedback f
    where ${isUnseen} and not ${hasArrived} and f.unlocked_at > ${since} and f.unlocked_at <= ${until}`
}

/**
 * The next members, in order, with items to email now.
 *
 * @param options.includeUnsettled also counts items that are too young to email for some seconds yet.
 */
export async function listRecipients(
  tx: SystemTx,
  mode: MailedMode,
  options: { organizationId?: string; after?: MemberOf | undefined; limit: number; includeUnsettled?: boolean },
): Promise<MemberOf[]> {
  const { organizationId, after, limit, includeUnsettled = false } = options
  // At eight, or up to three hours later if no worker ran then.
  const isTime =
    mode === 'daily'
      ? sql`extract(hour from t.local) between 8 and 10 and s.daily_digest_on is distinct from t.local::date`
      : sql`true`
  const { rows } = await sql<Row<'memberships', 'organization_id' | 'user_id'>>`
    select m.organization_id, m.user_id
    from memberships m
    join organizations o on o.id = m.organization_id and o.closed_at is null and o.suspended_at is null
    left join notification_settings s on s.organization_id = m.organization_id and s.user_id = m.user_id
    cross join lateral (select app.local_time(coalesce(s.time_zone, 'UTC')) as local) as t
    where ${organizationId ? sql`m.organization_id = ${organizationId}` : sql`true`}
      and ${after ? sql`(m.organization_id, m.user_id) > (${after.organizationId}, ${after.userId})` : sql`true`}
      and not coalesce('new_feedback' = any(s.muted_mails), false)
      and ${isTime}
      and exists (
        select from projects p
        left join notification_preferences n
          on n.organization_id = m.organization_id and n.user_id = m.user_id and n.project_id = p.id
        where p.organization_id = m.organization_id and p.archived_at is null
          and coalesce(n.new_feedback_mail, s.new_feedback_mail, 'daily') = ${mode}
          and exists (${selectNews(mode, includeUnsettled ? sql`now()` : settled, sql`1`)}))
    order by m.organization_id, m.user_id
    limit ${limit}
  `.execute(tx)
  return rows.map((row) => ({ organizationId: row.organization_id, userId: row.user_id }))
}

/** A member's new items in the projects of that mode, the newest of each project; marks them as emailed. */
export async function takeNews(tx: SystemTx, mode: MailedMode, member: MemberOf): Promise<NewItems[]> {
  const { rows } = await sql<NewItems>`
    with news as materialized (
      select m.organization_id, m.user_id, p.id as project_id, p.name, u.count, u.items
      from memberships m
      join projects p on p.organization_id = m.organization_id and p.archived_at is null
      left join notification_settings s on s.organization_id = m.organization_id and s.user_id = m.user_id
      left join notification_preferences n
        on n.organization_id = m.organization_id and n.user_id = m.user_id and n.project_id = p.id
      cross join lateral (
        select count(*)::int as count,
          (json_agg(json_build_object('id', i.id, 'number', i.number, 'message', i.message) order by i.created_at desc)
            filter (where i.place <= ${itemsShown})) as items
        from (
          select f.id, f.number, left(f.message, 500) as message, f.created_at,
            row_number() over (order by f.created_at desc) as place
          from (${selectNews(mode, settled, sql`f.id, f.number, f.message, f.created_at`)}) as f) as i) as u
      where m.organization_id = ${member.organizationId} and m.user_id = ${member.userId}
        and coalesce(n.new_feedback_mail, s.new_feedback_mail, 'daily') = ${mode}
    ),
    told as (
      insert into notification_preferences (organization_id, user_id, project_id, mailed_until)
      select organization_id, user_id, project_id, ${settled} from news
      on conflict (organization_id, user_id, project_id) do update set mailed_until = excluded.mailed_until
    )
    select project_id as "projectId", name as "projectName", count, items
    from news where count > 0 order by count desc, project_id
  `.execute(tx)
  return [...rows]
}
