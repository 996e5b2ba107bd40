import { sql } from 'kysely'
import type { Invitation, NewInvitation, SentInvitation } from '#contract/organizations.ts'
import type { Role } from '#contract/permissions.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

type SentRow = Row<'invitations', 'id' | 'email' | 'role' | 'sent_at' | 'expires_at'>

/** Invitations that wait for an answer, expired ones among them. */
export async function listPending(tx: TenantTx, organizationId: string): Promise<SentInvitation[]> {
  const { rows } = await sql<SentRow>`
    select id, email, role, sent_at, expires_at from invitations
    where organization_id = ${organizationId} and accepted_at is null and revoked_at is null
    order by sent_at desc, id desc
    limit 500
  `.execute(tx)
  return rows.map(toSent)
}

export async function isMember(tx: TenantTx, organizationId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from memberships m
    join profiles p on p.user_id = m.user_id
    where m.organization_id = ${organizationId} and lower(p.email) = ${email}
    limit 1
  `.execute(tx)
  return rows.length > 0
}

/**
 * Makes an invitation, or renews the one that the address has.
 *
 * @param invitation.pauseSeconds one that is younger stays as it is: the same request came twice.
 * @returns undefined when it stayed.
 */
export async function saveInvitation(
  tx: TenantTx,
  invitation: NewInvitation & { organizationId: string; tokenHash: Buffer; invitedBy: string; pauseSeconds: number },
): Promise<SentInvitation | undefined> {
  const { organizationId, email, role, tokenHash, invitedBy, pauseSeconds } = invitation
  const { rows } = await sql<SentRow>`
    insert into invitations as i (organization_id, email, role, token_hash, invited_by)
    values (${organizationId}, ${email}, ${role}, ${tokenHash}, ${invitedBy})
    on conflict (organization_id, email) where accepted_at is null and revoked_at is null
    do update set role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
      sent_at = excluded.sent_at, expires_at = excluded.expires_at
      where i.sent_at <= now() - make_interval(secs => ${pauseSeconds}) or i.role <> excluded.role
    returning id, email, role, sent_at, expires_at
  `.execute(tx)
  return rows[0] && toSent(rows[0])
}

export async function findPending(
  tx: TenantTx,
  organizationId: string,
  email: string,
): Promise<SentInvitation | undefined> {
  const { rows } = await sql<SentRow>`
    select id, email, role, sent_at, expires_at from invitations
    where organization_id = ${organizationId} and email = ${email} and accepted_at is null and revoked_at is null
  `.execute(tx)
  return rows[0] && toSent(rows[0])
}

/** What the invitation's mail says of the organisation and of who invites. */
export async function readNames(
  tx: TenantTx,
  organizationId: string,
  userId: string,
): Promise<{ organizationName: string; inviterName: string | null }> {
  const { rows } = await sql<RowAs<'organizations', { organization_name: 'name' }> & { inviter_name: string | null }>`
    select o.name as organization_name, (select p.full_name from profiles p where p.user_id = ${userId}) as inviter_name
    from organizations o where o.id = ${organizationId}
  `.execute(tx)
  return { organizationName: rows[0]?.organization_name ?? '', inviterName: rows[0]?.inviter_name ?? null }
}

export async function queueInvitation(
  tx: TenantTx,
  invitation: { organizationId: string; invitationId: string; emailId: string },
  mail: { kind: string; subject: string; html: string; text: string },
): Promise<void> {
  const { organizationId, invitationId, emailId } = invitation
  await sql`
    select app.queue_invitation(${organizationId}, ${invitationId}, ${emailId}, ${mail.kind}, ${mail.subject},
      ${mail.html}, ${mail.text})
  `.execute(tx)
}

/** @returns false when there is none to withdraw. */
export async function revokeInvitation(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update invitations set revoked_at = coalesce(revoked_at, now())
    where organization_id = ${organizationId} and id = ${id} and accepted_at is null
  `.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

export async function insertAuditEntry(
  tx: TenantTx,
  entry: { organizationId: string; actorUserId: string; action: string; targetId: string; details: object },
): Promise<void> {
  await sql`
    insert into audit_log (organization_id, actor_user_id, action, target_type, target_id, details)
    values (${entry.organizationId}, ${entry.actorUserId}, ${entry.action}, 'invitation', ${entry.targetId},
      ${JSON.stringify(entry.details)})
  `.execute(tx)
}

/** The invitation, as the holder of its link sees it. */
export async function findInvitation(database: Database, tokenHash: Buffer): Promise<Invitation | undefined> {
  const { rows } = await sql<{
    organization_name: string
    inviter_name: string | null
    email: string
    role: Role
    state: Invitation['state']
    expires_at: Date
  }>`select * from app.find_invitation(${tokenHash})`.execute(database.powerless)
  const row = rows[0]
  return (
    row && {
      organizationName: row.organization_name,
      inviterName: row.inviter_name,
      email: row.email,
      role: row.role,
      state: row.state,
      expiresAt: row.expires_at.toISOString(),
    }
  )
}

export type Acceptance =
  | { outcome: 'accepted'; organizationId: string }
  | { outcome: 'unknown' | 'other_address' | 'ended' }

export async function acceptInvitation(tx: TenantTx, tokenHash: Buffer): Promise<Acceptance> {
  const { rows } = await sql<{ outcome: Acceptance['outcome']; organization_id: string | null }>`
    select * from app.accept_invitation(${tokenHash})
  `.execute(tx)
  const { outcome = 'unknown', organization_id: organizationId = null } = rows[0] ?? {}
  if (outcome !== 'accepted') return { outcome }
  return organizationId === null ? { outcome: 'unknown' } : { outcome, organizationId }
}

function toSent(row: SentRow): SentInvitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    state: row.expires_at <= new Date() ? 'expired' : 'open',
    createdAt: row.sent_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
