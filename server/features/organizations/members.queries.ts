import { sql } from 'kysely'
import type { Member } from '#contract/organizations.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

interface MemberRow extends Row<'memberships', 'user_id' | 'role'>, Row<'profiles', 'email' | 'avatar_url'> {
  name: string
}

export async function listMembers(tx: TenantTx, organizationId: string): Promise<Member[]> {
  const { rows } = await sql<MemberRow>`
    select m.user_id, coalesce(nullif(p.full_name, ''), p.email) as name, p.email, m.role, p.avatar_url
    from memberships m
    join profiles p on p.user_id = m.user_id
    where m.organization_id = ${organizationId}
    order by lower(coalesce(nullif(p.full_name, ''), p.email)), m.user_id
  `.execute(tx)
  return rows.map(({ user_id: userId, avatar_url: avatarUrl, name, email, role }) => {
    return { userId, name, email, role, avatarUrl }
  })
}
