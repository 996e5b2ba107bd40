import { sql } from 'kysely'
import type { Member } from '#contract/members.ts'
import type { Role } from '#contract/permissions.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

/** Where a page of members ended: the name that the list is sorted by, and who has it. */
export interface MemberPlace {
  readonly listedAs: string
  readonly userId: string
}

interface MemberRow
  extends Row<'memberships', 'user_id' | 'role' | 'joined_at'>,
    Row<'profiles', 'email' | 'avatar_url'> {
  name: string
}

interface PageRow extends MemberRow, Row<'memberships', 'listed_as'> {
  last_active_at: Date | null
}

/** All members, by name. */
export async function listMembers(tx: TenantTx, organizationId: string): Promise<Member[]> {
  const { rows } = await sql<MemberRow>`
    select m.user_id, coalesce(nullif(p.full_name, ''), p.email) as name, p.email, m.role, p.avatar_url, m.joined_at
    from memberships m
    join profiles p on p.user_id = m.user_id
    where m.organization_id = ${organizationId}
    order by m.listed_as, m.user_id
  `.execute(tx)
  return rows.map((row) => toMember({ ...row, last_active_at: null }))
}

/** Members whose name or address contains the words, by name. */
export async function listMembersPage(
  tx: TenantTx,
  organizationId: string,
  { search, after, limit }: { search: string; after: MemberPlace | undefined; limit: number },
): Promise<{ member: Member; place: MemberPlace }[]> {
  const { rows } = await sql<PageRow>`
    select * from app.list_members(
      ${organizationId}, ${search}, ${after?.listedAs ?? null}, ${after?.userId ?? null}, ${limit})
  `.execute(tx)
  return rows.map((row) => ({
    member: toMember(row),
    place: { listedAs: row.listed_as, userId: row.user_id },
  }))
}

export async function countMembers(tx: TenantTx, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from memberships where organization_id = ${organizationId}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Makes other changes of members of the organisation wait until this transaction ends.
 *
 * @returns false when the caller may not change members any more.
 */
export async function lockAsOwner(tx: TenantTx, organizationId: string): Promise<boolean> {
  const { rows } = await sql`select from organizations where id = ${organizationId} for update`.execute(tx)
  return rows.length > 0
}

export async function findMember(tx: TenantTx, organizationId: string, userId: string): Promise<Member | undefined> {
  const { rows } = await sql<MemberRow>`
    select m.user_id, coalesce(nullif(p.full_name, ''), p.email) as name, p.email, m.role, p.avatar_url, m.joined_at
    from memberships m
    join profiles p on p.user_id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
  `.execute(tx)
  return rows[0] && toMember({ ...rows[0], last_active_at: null })
}

/** @returns false when the caller may not change members any more. */
export async function updateRole(
  tx: TenantTx,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: Role },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update memberships set role = ${role} where organization_id = ${organizationId} and user_id = ${userId}
  `.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** @returns false when the caller may not remove members any more. */
export async function deleteMember(tx: TenantTx, organizationId: string, userId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from memberships where organization_id = ${organizationId} and user_id = ${userId}
  `.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Ends the caller's own membership, if there is one. */
export async function leaveOrganization(tx: TenantTx, organizationId: string): Promise<void> {
  await sql`select app.leave_organization(${organizationId})`.execute(tx)
}

export async function recordActivity(
  database: Database,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<void> {
  await sql`select app.record_activity(${userId}, ${organizationId})`.execute(database.powerless)
}

function toMember(row: Omit<PageRow, 'listed_as'>): Member {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    avatarUrl: row.avatar_url,
    joinedAt: row.joined_at.toISOString(),
    lastActiveAt: row.last_active_at?.toISOString() ?? null,
  }
}
