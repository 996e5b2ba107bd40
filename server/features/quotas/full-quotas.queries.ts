import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** A quota of files; `projectId` null: the one of the whole organisation. */
export interface QuotaName {
  readonly organizationId: string
  readonly projectId: string | null
}

/** A quota that refused a file, and the size of that file in bytes; 0: unknown. */
export interface Refusal extends QuotaName {
  readonly neededBytes: number
}

/**
 * Stores that a quota refused a file.
 *
 * @returns whether owners are to be told now: once a day for each quota.
 */
export async function noteRefusal(tx: SystemTx, { organizationId, projectId, neededBytes }: Refusal): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    insert into full_quotas as q (organization_id, project_id, needed_bytes)
    values (${organizationId}, ${projectId}, ${neededBytes})
    on conflict (organization_id, project_id) do update set
      needed_bytes = excluded.needed_bytes, refused_at = now(),
      notified_at = case when q.notified_at <= now() - interval '1 day' then now() else q.notified_at end
    returning notified_at = now() as "isDue"
  `.execute(tx)
  return rows[0]?.isDue ?? false
}

interface NotedRefusal
  extends Readonly<
    RowAs<'full_quotas', { projectId: 'project_id'; neededBytes: 'needed_bytes'; refusedAt: 'refused_at' }>
  > {
  readonly projectName: string | null
}

/** Quotas that refused a file, the latest refusal first. Row-level security shows them to owners alone. */
export async function listRefusals(tx: TenantTx, organizationId: string): Promise<NotedRefusal[]> {
  const { rows } = await sql<NotedRefusal>`
    select q.project_id as "projectId", p.name as "projectName", q.needed_bytes as "neededBytes",
      q.refused_at as "refusedAt"
    from full_quotas q
    left join projects p on p.organization_id = q.organization_id and p.id = q.project_id
    where q.organization_id = ${organizationId}
    order by q.refused_at desc, q.id
  `.execute(tx)
  return rows
}

/**
 * Takes a full quota whose emails are to be written, and marks them as written. Undefined: they were already, or the
 * project is gone.
 */
export async function takeFullQuota(
  tx: SystemTx,
  { organizationId, projectId }: QuotaName,
): Promise<{ projectName: string | null } | undefined> {
  const { rows } = await sql<{ projectName: string | null }>`
    update full_quotas q set mailed_at = now()
    where q.organization_id = ${organizationId} and q.project_id is not distinct from ${projectId}::uuid
      and (q.mailed_at is null or q.mailed_at < q.notified_at)
    returning (select p.name from projects p where p.organization_id = q.organization_id and p.id = q.project_id)
      as "projectName"
  `.execute(tx)
  return rows[0]
}
