import { sql } from 'kysely'
import type { Notification } from '#contract/notifications.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

/** A notification of one member. */
export interface NewNotification {
  readonly userId: string
  readonly kind: 'assigned' | 'mentioned' | 'visitor_replied'
  readonly feedbackId: string
  /** How many items were changed together, `feedbackId` being one of them. Default: 1. */
  readonly itemCount?: number
}

/** The event that causes notifications. */
export interface NotifiedEvent {
  readonly id: string
  readonly organizationId: string
  /** Null: a visitor. */
  readonly actorUserId: string | null
}

/**
 * Records notifications of an event: in the app at once, by email some seconds later, as each member prefers. Skips
 * actors' own actions. Notifies once per event, however often this is called.
 */
export async function recordNotifications(
  tx: SystemTx,
  { id, organizationId, actorUserId }: NotifiedEvent,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return
  const entries = notifications.map((notification) => ({ ...notification, actorUserId }))
  await sql`select app.record_notifications(${organizationId}, ${id}, ${JSON.stringify(entries)}::jsonb)`.execute(tx)
}

/** Enqueues one job per organisation in which a member gets instant emails about new feedback. */
export async function enqueueInstantMails(tx: SystemTx, organizationIds: readonly string[]): Promise<void> {
  await sql`
    select app.enqueue_job('mail_new_feedback', json_build_object('organizationId', o.id),
      'mail_new_feedback:' || o.id, now() + interval '30 seconds')
    from unnest(${organizationIds}::uuid[]) as o (id)
    where exists (
      select from notification_preferences p where p.organization_id = o.id and p.new_feedback_mail = 'instant')
      or exists (
        select from notification_settings s where s.organization_id = o.id and s.new_feedback_mail = 'instant')
  `.execute(tx)
}

interface NotificationRow
  extends Row<'notifications', 'id' | 'kind' | 'feedback_id' | 'item_count' | 'created_at' | 'read_at'>,
    Row<'feedback', 'number' | 'project_id'> {
  project_name: Row<'projects', 'name'>['name']
  excerpt: string
  actor_name: string | null
}

/** A member's notifications, newest first. Row-level security shows a tenant only their own. */
export async function listNotifications(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  page: { before?: { createdAt: string; id: string } | undefined; limit: number },
): Promise<{ notification: Notification; place: { createdAt: string; id: string } }[]> {
  const { before, limit } = page
  const { rows } = await sql<NotificationRow & { exact: string }>`
    select n.id, n.kind, n.feedback_id, item.number, item.project_id, item.project_name, item.excerpt,
      coalesce(nullif(a.full_name, ''), a.email, app.get_key_name(n.organization_id, n.actor_user_id)) as actor_name,
      n.item_count, n.created_at, n.read_at,
      to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact
    from notifications n
    -- One item at a time, for as many as the page has: a plain join of hundreds of notifications reads all items.
    cross join lateral (
      select f.number, f.project_id, p.name as project_name, left(f.message, 140) as excerpt
      from feedback f
      join projects p on p.organization_id = f.organization_id and p.id = f.project_id
      where f.organization_id = n.organization_id and f.id = n.feedback_id
      limit 1
    ) as item
    left join lateral (
      select full_name, email from profiles where user_id = n.actor_user_id limit 1
    ) as a on true
    where n.organization_id = ${organizationId} and n.user_id = ${userId} and n.in_app
      ${before ? sql`and (n.created_at, n.id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)` : sql``}
    order by n.created_at desc, n.id desc
    limit ${limit}
  `.execute(tx)
  return rows.map((row) => ({
    place: { createdAt: row.exact, id: row.id },
    notification: {
      id: row.id,
      kind: row.kind,
      feedbackId: row.feedback_id,
      number: row.number,
      projectId: row.project_id,
      projectName: row.project_name,
      excerpt: row.excerpt,
      actorName: row.actor_name,
      itemCount: row.item_count,
      createdAt: row.created_at.toISOString(),
      isRead: row.read_at !== null,
    },
  }))
}

/** How many notifications are unread, of at most `limit`. */
export async function countUnread(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from notifications n
      where n.organization_id = ${organizationId} and n.user_id = ${userId} and n.in_app and n.read_at is null
      limit ${limit}) as unread
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** Marks the member's notifications: those named, those of one item, or all. */
export async function markNotifications(
  tx: TenantTx,
  organizationId: string,
  userId: string,
  { isRead, ids, feedbackId }: { isRead: boolean; ids?: readonly string[]; feedbackId?: string },
): Promise<void> {
  await sql`
    update notifications set read_at = ${isRead ? sql`now()` : sql`null`}
    where organization_id = ${organizationId} and user_id = ${userId} and (read_at is null) = ${isRead}
      ${ids ? sql`and id = any(${ids}::uuid[])` : sql``}
      ${feedbackId ? sql`and feedback_id = ${feedbackId}` : sql``}
  `.execute(tx)
}

/** @returns how many it deleted. */
export async function deleteOldNotifications(
  tx: SystemTx,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notifications where (organization_id, id) in (
      select organization_id, id from notifications
      where created_at < now() - make_interval(days => ${days})
      order by created_at limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
