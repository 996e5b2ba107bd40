import type { InstanceOrganization } from '#contract/superadmin-organizations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findOrganization, type OrganizationRow } from './organizations.queries.ts'

/** @throws ProductError `organization_not_found`. */
export async function getOrganization(tx: SystemTx, organizationId: string): Promise<OrganizationRow> {
  const organization = await findOrganization(tx, organizationId)
  if (!organization) throw new ProductError('organization_not_found')
  return organization
}

export function toOrganization({ value: _, ...row }: OrganizationRow): InstanceOrganization {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    deleteAfter: row.deleteAfter?.toISOString() ?? null,
    suspendedAt: row.suspendedAt?.toISOString() ?? null,
  }
}
