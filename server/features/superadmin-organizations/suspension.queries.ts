import { sql } from 'kysely'
import type { NewSuspension } from '#contract/superadmin-organizations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** Holds the organisation until the transaction ends, so that acts on it follow each other. */
export async function holdOrganization(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for update`.execute(tx)
}

interface Suspension extends RowAs<'app.organization_suspensions', { reason: 'reason'; message: 'message' }> {
  readonly byName: string | null
}

/** The present suspension. Undefined: the organisation is not suspended. */
export async function findSuspension(tx: SystemTx, organizationId: string): Promise<Suspension | undefined> {
  const { rows } = await sql<Suspension>`
    select s.reason, s.message,
      (select coalesce(nullif(p.full_name, ''), p.email) from profiles p where p.user_id = s.suspended_by) as "byName"
    from app.organization_suspensions s
    where s.organization_id = ${organizationId} and s.lifted_at is null
  `.execute(tx)
  return rows[0]
}

/** Suspends an organisation that {@link holdOrganization} holds. Every server hears of it at commit. */
export async function insertSuspension(
  tx: SystemTx,
  { organizationId, userId, reason, message }: NewSuspension & { organizationId: string; userId: string },
): Promise<void> {
  await sql`update organizations set suspended_at = now() where id = ${organizationId}`.execute(tx)
  await sql`
    insert into app.organization_suspensions (organization_id, suspended_by, reason, message)
    values (${organizationId}, ${userId}, ${reason}, ${message})
  `.execute(tx)
}

export async function changeSuspension(
  tx: SystemTx,
  organizationId: string,
  { reason, message }: NewSuspension,
): Promise<void> {
  await sql`
    update app.organization_suspensions set reason = ${reason}, message = ${message}
    where organization_id = ${organizationId} and lifted_at is null
  `.execute(tx)
}

/** The job that the change enqueues unlocks what arrived meanwhile. */
export async function endSuspension(tx: SystemTx, organizationId: string, userId: string): Promise<void> {
  await sql`update organizations set suspended_at = null where id = ${organizationId}`.execute(tx)
  await sql`
    update app.organization_suspensions set lifted_at = now(), lifted_by = ${userId}
    where organization_id = ${organizationId} and lifted_at is null
  `.execute(tx)
}

/** Addresses of owners whose accounts can be used. */
export async function listOwnerAddresses(tx: SystemTx, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select a.email
    from memberships m cross join lateral app.find_mailable(m.user_id) as a (email)
    where m.organization_id = ${organizationId} and m.role = 'owner'
    order by m.user_id
  `.execute(tx)
  return rows.map(({ email }) => email)
}
