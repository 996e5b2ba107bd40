import { sql } from 'kysely'
import type { OrganizationContents, OrganizationDeletion } from '#contract/organization-deletion.ts'
import type { RenderedMail } from '#server/features/mail/mail.service.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'

/** Counts what an organisation holds; files up to `limit`. */
export async function countContents(
  tx: TenantTx,
  organizationId: string,
  limit: number,
): Promise<Omit<OrganizationContents, 'limit'>> {
  const own = sql`organization_id = ${organizationId}`
  const { rows } = await sql<Omit<OrganizationContents, 'limit'>>`
    select
      (select count(*) from projects where ${own}) as projects,
      (select coalesce(sum(feedback_count), 0)::bigint from project_counters where ${own}) as items,
      (select count(*) from memberships where ${own}) as members,
      u.files, u.bytes as "fileBytes"
    from (
      select count(*) as files, coalesce(sum(bytes), 0)::bigint as bytes
      from (select bytes from uploads where ${own} and state <> 'refused' limit ${limit}) as held
    ) as u
  `.execute(tx)
  return rows[0] ?? { projects: 0, items: 0, members: 0, files: 0, fileBytes: 0 }
}

/** Closes the organisation, or returns the reason against it. */
export async function closeOrganization(
  tx: TenantTx,
  { organizationId, name, graceDays }: { organizationId: string; name: string; graceDays: number },
): Promise<
  { outcome: 'closed' | 'repeated'; name: string; deleteAfter: Date } | { outcome: 'other_name' | 'unknown' }
> {
  const { rows } = await sql<
    | { outcome: 'closed' | 'repeated'; name: string; delete_after: Date }
    | { outcome: 'other_name' | 'unknown'; name: null; delete_after: null }
  >`
    select * from app.close_organization(${organizationId}, ${name}, make_interval(days => ${graceDays}))
  `.execute(tx)
  const row = rows[0]
  if (row?.outcome === 'closed' || row?.outcome === 'repeated') {
    return { outcome: row.outcome, name: row.name, deleteAfter: row.delete_after }
  }
  return { outcome: row?.outcome ?? 'unknown' }
}

/** Queues the email about the closing to every owner, in the transaction that closes the organisation. */
export async function queueClosingEmails(
  tx: TenantTx,
  organizationId: string,
  { kind, subject, html, text }: RenderedMail,
): Promise<void> {
  await sql`select app.queue_closing_emails(${organizationId}, ${kind}, ${subject}, ${html}, ${text})`.execute(tx)
}

/** How colleagues see the person. */
export async function findPersonName(tx: TenantTx, userId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(full_name, ''), email) as name from profiles where user_id = ${userId}
  `.execute(tx)
  return rows[0]?.name ?? 'An owner'
}

/** False: it is not the caller's to restore, or the grace is over. */
export async function restoreOrganization(tx: TenantTx, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ restored: boolean }>`
    select app.restore_organization(${organizationId}) as restored
  `.execute(tx)
  return rows[0]?.restored ?? false
}

/** Undefined: it is not closed. */
export async function findDeletion(tx: TenantTx, organizationId: string): Promise<OrganizationDeletion | undefined> {
  const { rows } = await sql<{
    name: string
    closed_at: Date
    delete_after: Date
    closed_by_name: string | null
    can_restore: boolean
    is_suspended: boolean
    owners: { name: string; email: string }[]
  }>`select * from app.find_organization_deletion(${organizationId})`.execute(tx)
  const row = rows[0]
  return (
    row && {
      organizationName: row.name,
      closedAt: row.closed_at.toISOString(),
      deleteAfter: row.delete_after.toISOString(),
      closedByName: row.closed_by_name,
      canRestore: row.can_restore,
      isSuspended: row.is_suspended,
      owners: row.owners,
    }
  )
}

/** Enqueues the removal of every organisation whose grace is over. A job that waits already stays as it is. */
export async function enqueueRemovals(tx: SystemTx): Promise<void> {
  await sql`
    select app.enqueue_job('remove_organization', json_build_object('organizationId', id), 'remove_organization:' || id)
    from organizations where delete_after <= now()
  `.execute(tx)
}

/** Whether the grace of the organisation is over. */
export async function isDue(tx: SystemTx, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from organizations where id = ${organizationId} and delete_after <= now()`.execute(tx)
  return rows.length > 0
}

/** Has a closed organisation removed soon, whatever is left of its grace. Does nothing to an open one. */
export async function endGrace(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`
    update organizations set delete_after = now()
    where id = ${organizationId} and closed_at is not null and delete_after > now()
  `.execute(tx)
  await sql`
    select app.enqueue_job('remove_organization', json_build_object('organizationId', id), 'remove_organization:' || id)
    from organizations where id = ${organizationId} and delete_after <= now()
  `.execute(tx)
}

/** Closes the organisation in the name of a superadmin. @returns until when it can be restored; undefined: it was closed already. */
export async function closeFor(
  tx: SystemTx,
  { organizationId, userId, graceDays }: { organizationId: string; userId: string; graceDays: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ delete_after: Date }>`
    select app.close_open_organization(${organizationId}, make_interval(days => ${graceDays}), ${userId}) as delete_after
  `.execute(tx)
  return rows[0]?.delete_after ?? undefined
}

/**
 * Deletes rows of an organisation whose grace is over.
 *
 * @returns how many; fewer than `limit`: none is left. Undefined: it is not to be removed.
 */
export async function removeRows(tx: SystemTx, organizationId: string, limit: number): Promise<number | undefined> {
  const { rows } = await sql<{ removed: number | null }>`
    select app.remove_organization_rows(${organizationId}, ${limit}) as removed
  `.execute(tx)
  return rows[0]?.removed ?? undefined
}

/** Deletes the organisation itself, after its rows. */
export async function finishRemoval(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`select app.finish_organization_removal(${organizationId})`.execute(tx)
}
