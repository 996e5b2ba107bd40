import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

export interface TestedProjectRow
  extends Row<'projects', 'id' | 'name' | 'domain'>,
    RowAs<'widgets', { widgetKey: 'key'; lastLoadedAt: 'last_loaded_at' }>,
    RowAs<'organizations', { organizationId: 'id'; organizationName: 'name' }> {
  readonly isArchived: boolean
}

/** Where a page ends. */
export interface ProjectPlace {
  /** In lower case. */
  readonly name: string
  readonly id: string
}

/** Projects by name. @param wanted.search in lower case; empty: all */
export async function listTestedProjects(
  tx: SystemTx,
  { search, after, limit }: { search: string; after: ProjectPlace | undefined; limit: number },
): Promise<TestedProjectRow[]> {
  const place = after ? sql`(lower(p.name), p.id) > (${after.name}, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<TestedProjectRow>`
    select p.id, p.name, p.domain, p.archived_at is not null as "isArchived", w.key as "widgetKey",
      w.last_loaded_at as "lastLoadedAt", o.id as "organizationId", o.name as "organizationName"
    from projects p
    join widgets w on w.organization_id = p.organization_id and w.project_id = p.id
    join organizations o on o.id = p.organization_id
    where p.deleted_at is null and o.closed_at is null and ${place}
      and (${search} = '' or strpos(lower(p.name), ${search}) > 0 or strpos(p.domain, ${search}) > 0
        or lower(w.key) = ${search} or strpos(lower(o.name), ${search}) > 0)
    order by lower(p.name), p.id limit ${limit}
  `.execute(tx)
  return rows
}
