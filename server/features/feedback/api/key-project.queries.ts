import { sql } from 'kysely'
import type { TenantTx } from '#server/platform/database/database.ts'

/** Whether the project is archived; undefined: the caller reaches no such project. */
export async function findProjectState(
  tx: TenantTx,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): Promise<{ isArchived: boolean } | undefined> {
  const { rows } = await sql<{ isArchived: boolean }>`
    select archived_at is not null as "isArchived" from projects
    where organization_id = ${organizationId} and id = ${projectId}
  `.execute(tx)
  return rows[0]
}
