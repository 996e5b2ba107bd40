import { sql } from 'kysely'
import type { Invitation, NewInvitation, SentInvitation } from '#contract/invitations.ts'
import type { Role } from '#contract/permissions.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

type SentRow = Row<'invitations', 'id' | 'email' | 'role' | 'sent_at' | 'expires_at'>

/** An invitation's place in the list: when it was sent, as PostgreSQL writes it in UTC, and its id. */
export interface InvitationPlace {
  readonly sentAt: string
  readonly id: string
}

/** Invitations that wait for an answer, newest first; expired ones among them. */
export async function listPending(
  tx: TenantTx,
  organizationId: string,
  { after, limit }: { after: InvitationPlace | undefined; limit: number },
): Promise<{ invitation: SentInvitation; place: InvitationPlace }[]> {
  const { rows } = await sql<SentRow & { place: string }>`
    select id, email, role, sent_at, expires_at,
      to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place
    from invitations
    where organization_id = ${organizationId} and accepted_at is null and revoked_at is null
      and (sent_at, id) < (coalesce(${after?.sentAt ?? null}::timestamptz, 'infinity'),
        coalesce(${after?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by sent_at desc, id desc
    limit ${limit}
  `.execute(tx)
  return rows.map((row) => ({ invitation: toSent(row), place: { sentAt: row.place, id: row.id } }))
}

export async function countPending(tx: TenantTx, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from invitations
    where organization_id = ${organizationId} and accepted_at is null and revoked_at is null
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** Those of the addresses that belong to members. */
export async function findMembersAmong(
  tx: TenantTx,
  organizationId: string,
  emails: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select lower(p.email) as email from memberships m
    join profiles p on p.user_id = m.user_id
    where m.organization_id = ${organizationId} and lower(p.email) = any (${[...emails]}::text[])
  `.execute(tx)
  return new Set(rows.map(({ email }) => email))
}

/** Those of the addresses that have an open invitation for longer than the pause. */
export async function findInvitedAmong(
  tx: TenantTx,
  organizationId: string,
  { emails, pauseSeconds }: { emails: readonly string[]; pauseSeconds: number },
): Promise<Set<string>> {
  const { rows } = await sql<Row<'invitations', 'email'>>`
    select email from invitations
    where organization_id = ${organizationId} and email = any (${[...emails]}::text[])
      and accepted_at is null and revoked_at is null and expires_at > now()
      and sent_at <= now() - make_interval(secs => ${pauseSeconds})
  `.execute(tx)
  return new Set(rows.map(({ email }) => email))
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

/**
 * Gives an open or expired invitation a new token, and seven more days.
 *
 * @param renewal.pauseSeconds an invitation that was emailed later than that is not renewed; undefined: it is, and counts
 * as emailed when it was.
 * @returns undefined when it is not renewed, or there is none.
 */
export async function renewInvitation(
  tx: TenantTx,
  renewal: {
    organizationId: string
    id: string
    tokenHash: Buffer
    invitedBy: string
    pauseSeconds: number | undefined
  },
): Promise<SentInvitation | undefined> {
  const { organizationId, id, tokenHash, invitedBy, pauseSeconds } = renewal
  const { rows } = await sql<SentRow>`
    update invitations set token_hash = ${tokenHash}, invited_by = ${invitedBy}, expires_at = now() + interval '7 days',
      sent_at = case when ${pauseSeconds === undefined} then sent_at else now() end
    where organization_id = ${organizationId} and id = ${id} and accepted_at is null and revoked_at is null
      and (${pauseSeconds === undefined} or sent_at <= now() - make_interval(secs => ${pauseSeconds ?? 0}))
    returning id, email, role, sent_at, expires_at
  `.execute(tx)
  return rows[0] && toSent(rows[0])
}

/** Seconds until an invitation without an answer may be emailed again; undefined: there is none. */
export async function findPause(
  tx: TenantTx,
  organizationId: string,
  { id, pauseSeconds }: { id: string; pauseSeconds: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ left: number }>`
    select greatest(1, ceil(extract(epoch from sent_at - clock_timestamp()) + ${pauseSeconds}))::integer as left
    from invitations
    where organization_id = ${organizationId} and id = ${id} and accepted_at is null and revoked_at is null
  `.execute(tx)
  return rows[0]?.left
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
  | { outcome: 'unknown' | 'other_address' | 'ended' | 'plan_limit_reached' | 'plan_required' }

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
