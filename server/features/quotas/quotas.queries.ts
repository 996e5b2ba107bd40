import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

/** Files of one project. */
export interface ProjectFiles extends Readonly<Row<'projects', 'name'>> {
  readonly projectId: string
  readonly usedBytes: number
  readonly count: number
}

/** Received and converted bytes by project, the largest first. Refused files have none. */
export async function listProjectFiles(tx: TenantTx | SystemTx, organizationId: string): Promise<ProjectFiles[]> {
  const { rows } = await sql<ProjectFiles>`
    select u.project_id as "projectId", p.name, u.bytes::bigint as "usedBytes", u.count
    from (
      select project_id, sum(bytes + derived_bytes) as bytes, count(*) as count from uploads
      where organization_id = ${organizationId} and state <> 'refused' group by project_id
    ) u
    join projects p on p.organization_id = ${organizationId} and p.id = u.project_id
    order by u.bytes desc, p.name
  `.execute(tx)
  return rows
}

export interface KindOfFiles {
  readonly kind: string
  readonly count: number
  readonly bytes: number
}

/** Files of an organisation by kind, the largest first, those of deleted projects included. */
export async function listKindsOfFiles(tx: SystemTx, organizationId: string): Promise<KindOfFiles[]> {
  const { rows } = await sql<KindOfFiles>`
    select kind, count(*) as count, sum(bytes + derived_bytes)::bigint as bytes from uploads
    where organization_id = ${organizationId} and state <> 'refused'
    group by kind order by 3 desc, kind
  `.execute(tx)
  return rows
}

/** Exports that are not expired. */
export async function countExports(
  tx: TenantTx | SystemTx,
  organizationId: string,
): Promise<{ count: number; usedBytes: number }> {
  const { rows } = await sql<{ count: number; usedBytes: number }>`
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as "usedBytes" from exports
    where organization_id = ${organizationId} and state <> 'failed' and expires_at > now()
  `.execute(tx)
  return rows[0] ?? { count: 0, usedBytes: 0 }
}

export async function countWaitingImports(tx: SystemTx, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from imports where organization_id = ${organizationId} and storage_key is not null
  `.execute(tx)
  return rows[0]?.count ?? 0
}
