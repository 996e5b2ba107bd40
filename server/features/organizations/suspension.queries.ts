import { sql } from 'kysely'
import type { OrganizationSuspension } from '#contract/organization-suspension.ts'
import type { Role } from '#contract/permissions.ts'
import type { TenantTx } from '#server/platform/database/database.ts'

/** What members may know. @returns undefined: it is not suspended, or the caller is neither a member nor a superadmin. */
export async function findSuspension(
  tx: TenantTx,
  organizationId: string,
): Promise<OrganizationSuspension | undefined> {
  const { rows } = await sql<{ name: string; suspended_at: Date; message: string | null; role: Role }>`
    select * from app.find_organization_suspension(${organizationId})`.execute(tx)
  const row = rows[0]
  return (
    row && {
      organizationName: row.name,
      suspendedAt: row.suspended_at.toISOString(),
      message: row.message,
      role: row.role,
    }
  )
}
